// Turns of the scripted agent: what it waits for, how it is spoken to and interrupted, work in the background, and how
// it goes on after a kill.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import {
  isRequest,
  isThere,
  openScriptedWorld,
  type Printed,
  type ScriptedWorld,
  systems,
  texts,
  toolCalls,
} from './scripted-world.ts';

let world: ScriptedWorld;

beforeEach(() => {
  world = openScriptedWorld();
});

afterEach(() => world.close());

const isText = (line: Printed): boolean => line['type'] === 'assistant' && JSON.stringify(line).includes('"text"');
const isCall = (line: Printed): boolean => JSON.stringify(line).includes('"tool_use"');
const isAck = (line: Printed): boolean => line['isReplay'] === true;

it('waits for time and for a file', async () => {
  const agent = world.act({ wait: 300 }, { waitFor: 'go' }, { say: 'gone' });
  const call = await agent.seen(isCall, 'the wait');
  expect(JSON.stringify(call)).toContain('[ -e ');
  expect(texts(agent)).toEqual([]);
  writeFileSync(join(world.work, 'go'), '');
  expect((await agent.result())['duration_ms']).toBeGreaterThanOrEqual(300);
  expect(texts(agent)).toEqual(['gone']);
});

it('waits for a signal; one that came before its step counts', async () => {
  const agent = world.start([{ waitSignal: 'SIGUSR2' }, { say: 'one' }, { waitSignal: 'SIGUSR2' }, { say: 'two' }]);
  await agent.seen(({ subtype }) => subtype === 'init', 'its beginning');
  agent.kill('SIGUSR2');
  agent.say('go');
  await agent.seen(isText, 'one');
  expect(texts(agent)).toEqual(['one']);
  agent.kill('SIGUSR2');
  expect(await agent.result()).toMatchObject({ is_error: false });
  expect(texts(agent)).toEqual(['one', 'two']);
});

it('input during a tool call is read after it, in the same turn', async () => {
  const agent = world.act({ waitFor: 'go' }, { say: 'over' });
  await agent.seen(isCall, 'the call');
  agent.say('mind the gap', 'steer');
  writeFileSync(join(world.work, 'go'), '');
  await agent.result();
  expect(agent.printed.filter(isAck).map(({ uuid }) => uuid)).toContain('steer');
  expect(texts(agent)).toEqual(['Noted: mind the gap', 'over']);
  await agent.end();
  expect(agent.printed.filter(({ type }) => type === 'result')).toHaveLength(1);
});

it('input during an answer gets a turn of its own', async () => {
  const agent = world.act({ say: 'hm' }, { wait: 200 });
  await agent.seen(isText, 'a word');
  agent.say('and this');
  await agent.result(2);
  expect(texts(agent)).toEqual(['hm', 'Noted: and this']);
  await agent.end();
  expect(agent.printed.filter(({ state }) => state === 'idle')).toHaveLength(2);
});

it('listen waits for input', async () => {
  const agent = world.act({ say: 'what next?' }, { listen: true }, { say: 'I see' });
  await agent.seen(isText, 'its question');
  agent.say('left');
  await agent.result();
  expect(texts(agent)).toEqual(['what next?', 'Noted: left', 'I see']);
});

it('listening ends with the input', async () => {
  const agent = world.act({ listen: true });
  agent.endInput();
  expect(await agent.result()).toMatchObject({ is_error: true });
  expect((await agent.ended).code).toBe(1);
});

it('a script of several turns goes on with each input', async () => {
  const agent = world.act({ say: 'a' }, { turn: 'first' }, { say: 'b' });
  expect(await agent.result()).toMatchObject({ is_error: false, result: 'first' });
  agent.say('more');
  expect(await agent.result(2)).toMatchObject({ is_error: false, result: 'The script is done.' });
  agent.say('yet more');
  expect(await agent.result(3)).toMatchObject({ result: 'Noted.' });
  expect(texts(agent)).toEqual(['a', 'b', 'Noted: yet more']);
});

it('an interrupt ends the turn and its processes, and the next input is read', async () => {
  const agent = world.act({ run: 'echo $$ >pid; exec sleep 600' }, { say: 'never said' });
  const pid = Number(await until(() => world.file('pid')?.trim(), { what: 'the command' }));
  agent.control('interrupt');
  expect(await agent.result()).toMatchObject({ is_error: true, terminal_reason: 'aborted_tools' });
  expect(agent.printed).toContainEqual({
    type: 'control_response',
    response: { subtype: 'success', response: {}, request_id: 'host-interrupt' },
  });
  expect(toolCalls(agent)[0]).toMatchObject({ isError: true });
  expect(isThere(pid)).toBe(false);
  agent.say('something else');
  expect(await agent.result(2)).toMatchObject({ is_error: false });
  expect(texts(agent)).not.toContain('never said');
});

it('an interrupt withdraws an open question', async () => {
  const agent = world.act({ run: 'true', ask: true });
  const { request_id: id } = await agent.seen(isRequest('can_use_tool'), 'the question');
  agent.control('interrupt');
  await agent.result();
  expect(agent.printed).toContainEqual({ type: 'control_cancel_request', request_id: id });
});

it('an unknown request is refused', async () => {
  const agent = world.start([]);
  agent.control('nonsense');
  const told = await agent.seen(({ type }) => type === 'control_response', 'an answer');
  expect(told['response']).toMatchObject({ subtype: 'error', error: 'Unsupported control request subtype: nonsense' });
});

it('background work is a real process, and its end starts a turn', async () => {
  const agent = world.act({ background: 'until [ -e go ]; do sleep 0.02; done; echo x >made' }, { say: 'meanwhile' });
  expect(await agent.result()).toMatchObject({ result: 'The script is done.' });
  const [started] = systems(agent, 'task_started');
  expect(started).toMatchObject({ task_type: 'local_bash', tool_use_id: expect.stringMatching(/^toolu_/) });
  expect(systems(agent, 'task_notification')).toEqual([]);
  writeFileSync(join(world.work, 'go'), '');
  expect(await agent.result(2)).toMatchObject({ origin: { kind: 'task-notification' } });
  expect(world.file('made')).toBe('x\n');
  const [told] = systems(agent, 'task_notification');
  expect(told).toMatchObject({ task_id: started?.['task_id'], status: 'completed' });
  const states = agent.printed.flatMap(({ state }) => state ?? []);
  await agent.end();
  expect(states.slice(0, 3)).toEqual(['running', 'idle', 'running']);
});

it('background work that ends during a turn starts none, and its failure is reported', async () => {
  const agent = world.act({ background: 'exit 4' }, { listen: true });
  await agent.seen(({ subtype }) => subtype === 'task_notification', 'its end');
  agent.say('go on');
  await agent.result();
  expect(systems(agent, 'task_notification')).toMatchObject([{ status: 'failed' }]);
  await agent.end();
  expect(agent.printed.filter(({ type }) => type === 'result')).toHaveLength(1);
});

it('when told to end it ends its background work; at the end of its input it waits for it', async () => {
  const told = world.act({ background: 'echo $$ >pid; exec sleep 600' }, { waitFor: 'pid' });
  await told.result();
  const pid = Number(world.file('pid'));
  expect((await told.end()).code).toBe(0);
  await until(() => !isThere(pid), { what: 'the end of the background work' });
  const closed = world.act({ background: 'sleep 0.3; touch late' });
  closed.endInput();
  expect((await closed.ended).code).toBe(0);
  expect(world.file('late')).toBe('');
});

it('several results for one prompt are printed', async () => {
  const agent = world.act(
    { result: 'one' },
    { result: { is_error: true, result: 'two', subtype: 'odd' } },
    { say: 'x' },
  );
  expect(await agent.result(3)).toMatchObject({ is_error: false, result: 'The script is done.' });
  expect(await agent.result(1)).toMatchObject({ is_error: false, result: 'one' });
  expect(await agent.result(2)).toMatchObject({ is_error: true, result: 'two', subtype: 'odd' });
});

it('a killed and resumed agent goes on where it was, in the same session', async () => {
  const steps = [
    { append: { path: 'once', text: 'x' } },
    { output: 1 },
    { waitFor: 'go' },
    { append: { path: 'once', text: 'y' } },
  ];
  const first = world.act(...steps);
  await first.seen(isCall, 'the wait', 3);
  first.kill('SIGKILL');
  expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });
  writeFileSync(join(world.work, 'go'), '');
  const session = String(first.printed[0]?.['session_id']);
  const second = world.start(steps, '--resume', session);
  second.say('go on');
  expect(await second.result()).toMatchObject({ is_error: false, structured_output: 1, session_id: session });
  expect(world.file('once')).toBe('xy');
});

it('repeated input is acknowledged and done once', async () => {
  const steps = [{ append: { path: 'once', text: 'x' } }];
  const first = world.start(steps);
  first.say('go', 'same');
  await first.result();
  first.say('go', 'same');
  await first.seen(isAck, 'the second acknowledgement', 2);
  await first.end();
  const second = world.start(steps, '--resume');
  second.say('go', 'same');
  expect(await second.result()).toMatchObject({ is_error: false });
  expect(texts(second)).toEqual(['That is done already.']);
  expect(world.file('once')).toBe('x');
});

it('a step marked as once is not repeated by the next process', async () => {
  const steps = [
    { append: { path: 'tries', text: 'x' }, once: true },
    { crash: 'SIGKILL', once: true },
    { say: 'back' },
  ];
  expect(await world.act(...steps).ended).toEqual({ code: null, signal: 'SIGKILL' });
  const second = world.start(steps, '--resume');
  second.say('go on');
  expect(await second.result()).toMatchObject({ is_error: false });
  expect([texts(second), world.file('tries')]).toEqual([['back'], 'x']);
});

it('a step that may repeat kills every process that reaches it', async () => {
  const steps = [{ append: { path: 'tries', text: 'x' } }, { crash: 'SIGKILL' }];
  expect((await world.act(...steps).ended).signal).toBe('SIGKILL');
  const second = world.start(steps, '--resume');
  second.say('go on');
  expect((await second.ended).signal).toBe('SIGKILL');
  expect(world.file('tries')).toBe('x');
});

it('a missing session cannot be resumed', async () => {
  const agent = world.start([{ say: 'x' }], '--resume', 'b0b');
  expect((await agent.ended).code).toBe(1);
  expect(agent.printed).toMatchObject([
    { type: 'result', is_error: true, errors: ['No conversation found with session ID: b0b'] },
  ]);
  expect(agent.stderr).toContain('No conversation found with session ID: b0b');
});

it('a forgotten session cannot be resumed, and the agent starts again without it', async () => {
  const steps = [{ forget: true }, { append: { path: 'tries', text: 'x' } }];
  const first = world.act(...steps);
  expect(await first.result()).toMatchObject({ is_error: false });
  await first.end();
  expect(existsSync(join(world.home, 'session.json'))).toBe(false);
  const second = world.start(steps, '--resume');
  expect((await second.ended).code).toBe(1);
  expect(await world.act(...steps).result()).toMatchObject({ is_error: false });
  expect(world.file('tries')).toBe('xx');
});
