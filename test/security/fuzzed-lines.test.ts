// Whatever an agent prints, its codec reads: recorded lines of every harness, changed at random. 100,000 of them.

import { expect, it } from 'vitest';
import { createClaude } from '../../src/harness/claude/claude.ts';
import { createCodex } from '../../src/harness/codex/codex.ts';
import { createCommand } from '../../src/harness/command/command.ts';
import { createScripted } from '../../src/harness/scripted/scripted.ts';
import type { Harness } from '../../src/ports/harness.ts';
import { blankAgent } from '../harness/blank-agent.ts';
import { codexRecordings, loadCodexRecording } from '../harness/codex-recordings.ts';
import { loadRecording, recordings } from '../harness/recordings.ts';

const linesMax = 100_000;
const stateMax = 200_000;
const streamJson = recordings.flatMap((name) => loadRecording(name).lines);
const codexLines = codexRecordings.flatMap((name) => loadCodexRecording(name).lines);
const nonce = '0a'.repeat(16);
const commandLines = [
  `signalbox-command:begun record_a-1-1 ${nonce}`,
  `signalbox-command:output ${nonce} {"a":[1,{"b":null}]}`,
  `signalbox-command:result ${nonce}`,
  'plain text',
];
const harnesses: readonly (readonly [Harness, readonly string[]])[] = [
  [createClaude({ binary: 'claude', model: 'm', env: {} }), streamJson],
  [createScripted('node', 'agent.cjs'), streamJson],
  [createCodex({ binary: 'codex', model: 'm', env: {} }), codexLines],
  [createCommand({ env: {} }), commandLines],
];

const odd = [
  ['null', 'true', '-1', '1e308', '1e999', '9007199254740993', '[]', '{}', '""', '"\\ud800"', '"\\u0000\\u001b[2J"'],
  ['{"__proto__":{"type":"result"}}', '"__proto__"', '"constructor"', '"record_a-1-1"', '"../../etc/passwd"'],
  `${'['.repeat(700)}${']'.repeat(700)}`,
  JSON.stringify('x'.repeat(5_000)),
].flat();

/** Linear congruential; the same seed changes the same lines. */
function chanceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function changed(line: string, other: string, below: (n: number) => number): string {
  const at = below(line.length + 1);
  switch (below(7)) {
    case 0:
      return line.slice(0, at);
    case 1:
      return line.slice(0, at) + String.fromCharCode(below(0x10000)) + line.slice(at + 1);
    case 2:
      return line.slice(0, at) + other.slice(below(other.length + 1));
    case 3:
      return line + other;
    case 4:
      return line;
    default: {
      // One value of the line becomes another.
      const values = [...line.matchAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null|\[\]|\{\})/g)];
      const value = values[below(Math.max(1, values.length))];
      if (value === undefined) return other;
      return line.slice(0, value.index) + odd[below(odd.length)] + line.slice(value.index + value[0].length);
    }
  }
}

for (const [harness, lines] of harnesses) {
  it(`${harness.name}: no line makes the codec fail, grow without bound or tell an absurd number [HAR-24] [CLAIM-4]`, () => {
    const below = chanceOf(7);
    const pick = (): string => lines[below(lines.length)] ?? '';
    let state = harness.initial(blankAgent);
    const perHarness = Math.ceil(linesMax / harnesses.length);
    for (let n = 0; n < perHarness; n += 1) {
      if (n % 200 === 0) state = harness.initial(blankAgent);
      const line = changed(pick(), pick(), below);
      const step = harness.read(state, line);
      state = step.state;
      expect(state.length, line.slice(0, 300)).toBeLessThan(stateMax);
      for (const event of step.events) {
        if (event.kind === 'metered' || event.kind === 'usage' || event.kind === 'limited') {
          for (const number of numbersIn(event))
            expect(Math.abs(number), line.slice(0, 300)).toBeLessThanOrEqual(2 ** 53);
        }
      }
      if (n % 50 === 0) expect(() => harness.ended?.(state, 1)).not.toThrow();
    }
    expect(() => JSON.parse(state)).not.toThrow();
  });
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
