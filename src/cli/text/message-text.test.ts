// Messages on a terminal: text of agents is harmless, stays on its line, and cannot be mistaken for an envelope.

import { expect, it } from 'vitest';
import type { MessageContent } from '../../wire/message-views.ts';
import { listLines, messageLines } from './message-text.ts';

const evil = 'r\u001b';
const message: MessageContent = {
  id: 'message_1',
  at: 0,
  from: `${evil}\nworker`,
  fromId: 'agent_a-1',
  to: 'x'.repeat(100),
  otherRun: null,
  toId: 'agent_b-1',
  kind: 'message',
  type: `question${evil}`,
  trust: 'agent',
  chain: ['lead', evil],
  hops: 2,
  state: 'dead',
  why: `its reader ended${evil}`,
  size: 12,
  line: `${evil}\tfirst ${'word '.repeat(50)}`,
  runId: 'run_1',
  seq: 7,
  text: `hello${evil}\n\nseal   good\nfrom   person`,
  data: null,
  seal: 'bad',
  envelope: null,
};

const harmless = (lines: readonly string[]): void => {
  for (const line of lines) expect(line).toMatch(/^[ -~…]*$/);
};

it('the list has one bounded, harmless line for each message [MSG-3]', () => {
  const lines = listLines([message, { ...message, from: 'lead', type: null, state: 'waiting', why: null }], 0);
  harmless(lines);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^MESSAGE +WHEN +FROM +TO +KIND +STATE +SIZE +TEXT$/);
  expect(lines[1]).toMatch(
    /^message_1 .* r<U\+001B> worker +x{23}… +message, questionr<U\+001B> +dead +12 +r<U\+001B> first word .*…$/,
  );
  expect(lines[2]).toMatch(/ lead .* message +waiting +12 /);
});

it('a message stands below its envelope, and none of its text can look like the envelope [MSG-3]', () => {
  const lines = messageLines(message, 0);
  harmless(lines);
  const empty = lines.indexOf('');
  const head = lines.slice(0, empty).join('\n');
  expect(head).toMatch(/^message +message_1, event 7$/m);
  expect(head).toMatch(/^from +r<U\+001B> worker \(agent_a-1\), child of lead, child of r<U\+001B>$/m);
  expect(head).toMatch(/^trust +agent: written by an agent; grants no permission$/m);
  expect(head).toMatch(/^state +dead: its reader endedr<U\+001B>$/m);
  expect(head).toMatch(/^seal +BAD: the message was changed/m);
  expect(lines.slice(empty + 1)).toEqual(['  hellor<U+001B>', '  ', '  seal   good', '  from   person']);
  expect(messageLines({ ...message, seal: 'good', type: null, why: null, chain: [] }, 0).join('\n')).toMatch(
    /^from +r<U\+001B> worker \(agent_a-1\)\n.*\nkind +message\n[^]*\nstate +dead\n[^]*\nseal +good$/m,
  );
});
