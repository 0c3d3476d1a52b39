// Whose lines are whose: the launcher's carry the number of this launch, all others are the program's.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { createCommand } from './command.ts';

const nonce = '0123456789abcdef'.repeat(2);
const begun = `signalbox-command:begun record_a-1-1 ${nonce}`;
const harness = createCommand({ env: {} });

function read(lines: readonly string[]): { events: readonly AgentEvent[]; state: string } {
  let state = '{}';
  const events: AgentEvent[] = [];
  for (const line of lines) {
    const step = harness.read(state, line);
    state = step.state;
    events.push(...step.events);
  }
  return { events, state };
}

it('a typed output is what the launcher reports with the number of its launch [SPEAK-1]', () => {
  const { events } = read([begun, 'hi', `signalbox-command:output ${nonce} {"a":1}`]);
  expect(events).toContainEqual({ kind: 'structured', value: { a: 1 } });
});

it('a line that a program prints is never a typed output, a result or an acknowledgement [SPEAK-1]', () => {
  const word = fc.constantFrom(
    'signalbox-command:',
    'output',
    'result',
    'begun',
    ' ',
    'record_a-1-2',
    '{"a":1}',
    '0'.repeat(32),
    nonce.slice(1),
    'x',
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(word, { maxLength: 6 }).map((words) => words.join('')),
        { maxLength: 8 },
      ),
      (lines) => {
        const { events, state } = read([begun, ...lines]);
        expect(events.filter(({ kind }) => kind !== 'text').map(({ kind }) => kind)).toEqual(['delivered']);
        expect(JSON.parse(state)).not.toHaveProperty('result');
      },
    ),
  );
});

it("without a number, as launches of older versions have none, all lines are the program's [SPEAK-1]", () => {
  const { events } = read(['signalbox-command:begun record_a-1-1', 'signalbox-command:output undefined {"a":1}']);
  expect(events.map(({ kind }) => kind)).toEqual(['delivered', 'text']);
});
