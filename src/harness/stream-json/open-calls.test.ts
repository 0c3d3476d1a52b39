import { expect, it } from 'vitest';
import { inFlightIn, initialState, readLine } from './codec.ts';

function after(...messages: readonly object[]): readonly string[] {
  let state = initialState;
  for (const message of messages) ({ state } = readLine(state, JSON.stringify(message)));
  return inFlightIn(state);
}

const call = (id: string, name: string, input: unknown) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input }] },
});
const returned = (id: string) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
});

it('a call is open until its result [HAR-11]', () => {
  const both = [call('a', 'Bash', { command: 'npm publish' }), call('b', 'Write', { file_path: 'x', content: 'y' })];
  expect(after(...both)).toEqual(['Bash: npm publish', 'Write: x']);
  expect(after(...both, returned('a'))).toEqual(['Write: x']);
  expect(after(...both, returned('a'), returned('b'))).toEqual([]);
});

it('no call of an ended turn is open', () => {
  expect(after(call('a', 'Bash', { command: 'x' }), { type: 'result', is_error: false })).toEqual([]);
});

it('background work is open until it ends', () => {
  const task = { type: 'system', task_id: 't', tool_use_id: 'a', description: 'serve' };
  const started = { ...task, subtype: 'task_started', is_backgrounded: true };
  expect(after(started)).toEqual(['in the background: serve']);
  expect(after(started, { ...task, subtype: 'task_updated', patch: { status: 'completed' } })).toEqual([]);
});

it('open calls are reported in few short texts, whatever the calls are', () => {
  const odd = [
    call('a', 'Bash', undefined),
    call('b', 'Ask', {}),
    call('c', 'Ask', { n: 1 }),
    call('d', 'Ask', [null]),
  ];
  expect(after(...odd)).toEqual(['Bash', 'Ask', 'Ask: {"n":1}', 'Ask: [null]']);
  const many = Array.from({ length: 30 }, (_, n) =>
    call(`id${n}`, 'Bash', { command: `${n} ${'\n x'.repeat(10_000)}` }),
  );
  const told = after(...many);
  expect(told).toHaveLength(10);
  expect(told.every((text) => text.length === 200 && !text.includes('\n'))).toBe(true);
  expect(told.at(-1)).toMatch(/^Bash: 29 x x.*…$/);
});
