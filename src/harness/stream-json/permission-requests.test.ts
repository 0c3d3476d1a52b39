import { expect, it } from 'vitest';
import { initialState, readLine } from './codec.ts';

/** For each line that reports it, the requests that block the agent. */
function told(...messages: readonly object[]): (readonly string[])[] {
  let state = initialState;
  return messages.flatMap((message) => {
    const step = readLine(state, JSON.stringify(message));
    state = step.state;
    return step.events.flatMap((event) => (event.kind === 'blocked' ? [event.requestIds] : []));
  });
}

const call = (id: string, parent: string | null = null) => ({
  type: 'assistant',
  parent_tool_use_id: parent,
  message: { content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
});
const returned = (id: string) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
});
const asks = (requestId: string, toolUseId?: string) => ({
  type: 'control_request',
  request_id: requestId,
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: toolUseId },
});
const started = (id: string, toolUseId: string, background = false) => ({
  type: 'system',
  subtype: 'task_started',
  task_id: id,
  tool_use_id: toolUseId,
  is_backgrounded: background,
});
const ended = (id: string) => ({ type: 'system', subtype: 'task_notification', task_id: id, status: 'completed' });

it('an agent that asks waits for that alone, until the call has its result [HAR-18]', () => {
  expect(told(call('a'), asks('r1', 'a'))).toEqual([['r1']]);
  expect(told(call('a'), asks('r1', 'a'), returned('a'), call('b'), asks('r2', 'b'))).toEqual([['r1'], ['r2']]);
});

it('several requests are reported together, and again when some are answered [HAR-18]', () => {
  expect(told(call('a'), call('b'), asks('r1', 'a'), asks('r2', 'b'), returned('a'))).toEqual([
    ['r1'],
    ['r1', 'r2'],
    ['r2'],
  ]);
  const withdrawn = { type: 'control_cancel_request', request_id: 'r1' };
  expect(told(asks('r1', 'a'), asks('r2', 'b'), withdrawn)).toEqual([['r1'], ['r1', 'r2'], ['r2']]);
});

it('background work counts beside a request until it ends [HAR-27]', () => {
  expect(told(started('t', 'x', true), call('a'), asks('r1', 'a'))).toEqual([]);
  expect(told(started('t', 'x', true), call('a'), asks('r1', 'a'), ended('t'))).toEqual([['r1']]);
});

it("a working subagent counts beside another's request, an asking one does not [HAR-27]", () => {
  const two = [call('one'), call('two'), started('t1', 'one'), started('t2', 'two'), call('a', 'one')];
  expect(told(...two, asks('r1', 'a'))).toEqual([]);
  expect(told(...two, asks('r1', 'a'), call('b', 'two'), asks('r2', 'b'))).toEqual([['r1', 'r2']]);
  expect(told(...two, asks('r1', 'a'), returned('two'))).toEqual([['r1']]);
});

it('a request without a call id counts as one open request [HAR-18]', () => {
  expect(told(asks('r1'), asks('r2'))).toEqual([['r1'], ['r2']]);
});

it('invalid call ids of an agent change nothing [HAR-18]', () => {
  expect(told(call('constructor', 'constructor'), asks('__proto__', 'constructor'), asks('r', 'toString'))).toEqual([
    ['__proto__'],
    ['__proto__', 'r'],
  ]);
});
