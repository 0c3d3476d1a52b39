// What lets a script exchange many messages: a call that is made many times, and a file of the input that was read.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Agent, isRequest, openScriptedWorld, type ScriptedWorld } from './scripted-world.ts';

let world: ScriptedWorld;
beforeEach(() => {
  world = openScriptedWorld();
});
afterEach(() => world.close());

interface Params {
  readonly arguments: unknown;
  readonly _meta: { readonly 'claudecode/toolUseId': string };
}

/** The nth call of this process, answered if wanted. */
async function nthCall(agent: Agent, nth: number, answered = true): Promise<{ input: unknown; id: string }> {
  const { request_id: requestId, request } = await agent.seen(isRequest('mcp_message'), `call ${nth}`, nth);
  const { params } = (request as { message: { params: Params } }).message;
  const result = { content: [{ type: 'text', text: 'sent' }] };
  if (answered) agent.answer(String(requestId), { mcp_response: { result } });
  return { input: params.arguments, id: params._meta['claudecode/toolUseId'] };
}

it('a call is repeated with its number in every text, and an answered one is not repeated', async () => {
  const input = { to: 'a{n}', data: [{ text: '{n} of {n}' }, 7, null] };
  const steps = [{ call: { tool: 'mcp__signalbox__send', input, repeat: 4 } }];
  const first = world.start(steps);
  first.say('go', 'm-1');
  const numbered = (n: number) => ({ to: `a${n}`, data: [{ text: `${n} of ${n}` }, 7, null] });
  expect((await nthCall(first, 1)).input).toEqual(numbered(1));
  expect((await nthCall(first, 2)).input).toEqual(numbered(2));
  const open = await nthCall(first, 3, false);
  first.kill('SIGKILL');
  await first.ended;

  const second = world.start(steps, '--resume');
  second.say('go on', 'm-2');
  expect(await nthCall(second, 1)).toEqual(open);
  const last = await nthCall(second, 2);
  expect(last.input).toEqual(numbered(4));
  expect(last.id).not.toBe(open.id);
  await second.result();
});

it('input is kept as it is read; some of it kills the agent once, before it is kept', async () => {
  const steps = [{ keep: { path: 'heard', dieOf: 2 } }, { turn: 'ready' }];
  const first = world.start(steps);
  first.say('go', 'm-1');
  await first.result();
  first.say('one', 'm-2');
  await first.result(2);
  first.say('two', 'm-3');
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
  const kept = (): unknown[] =>
    (world.file('heard') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  expect(kept()).toEqual([{ uuid: 'm-2', text: 'one' }]);

  const second = world.start(steps, '--resume');
  second.say('two', 'm-3');
  await second.result();
  second.say('one', 'm-2');
  second.say('three', 'm-4');
  expect(await second.ended).toMatchObject({ signal: 'SIGKILL' });
  expect(second.printed.filter(({ uuid }) => uuid === 'm-2')).toHaveLength(1);
  expect(kept()).toEqual([
    { uuid: 'm-2', text: 'one' },
    { uuid: 'm-3', text: 'two' },
  ]);
});
