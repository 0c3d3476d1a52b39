// The scripted model itself: which client gets which script, and what tests can read of its requests.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server/model-server.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

interface Said {
  readonly role: string;
  readonly content: string | readonly Block[];
}

async function ask(messages: readonly Said[]): Promise<readonly Block[]> {
  const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: JSON.stringify({ messages }) });
  return ((await response.json()) as { content: Block[] }).content;
}

const user = (text: string): Said => ({ role: 'user', content: [{ type: 'text', text }] });

it('an agent that spawns another is still the one its own prompt names', async () => {
  server.act('leadx', [
    { call: { tool: 'mcp__signalbox__spawn_agent', input: { prompt: 'Act out workerx' } } },
    { call: { tool: 'mcp__signalbox__wait', input: (said: string) => ({ tasks: said.match(/task_\d+/g) }) } },
    { say: 'all in' },
  ]);
  server.act('workerx', [{ say: 'found it' }]);
  const prompt = user('Act out leadx');
  const spawned = await ask([prompt]);
  expect(spawned).toMatchObject([{ type: 'tool_use', id: 'toolu_leadx_0', name: 'mcp__signalbox__spawn_agent' }]);
  expect(await ask([{ role: 'user', content: 'Act out workerx' }])).toEqual([{ type: 'text', text: 'found it' }]);
  const result = { type: 'tool_result', tool_use_id: 'toolu_leadx_0', content: 'task_7 acts out workerx' };
  const begun = [prompt, { role: 'assistant', content: spawned }, { role: 'user', content: [result] }];
  const waits = await ask(begun);
  expect(waits).toMatchObject([{ name: 'mcp__signalbox__wait', input: { tasks: ['task_7'] } }]);
  // A request that is made again is answered the same.
  expect(await ask(begun)).toEqual(waits);
  const parked = { type: 'tool_result', tool_use_id: 'toolu_leadx_1', content: 'parked' };
  const ended = [
    ...begun,
    { role: 'assistant', content: waits },
    { role: 'user', content: [parked] },
    user('task_7 has ended'),
  ];
  expect(await ask(ended)).toEqual([{ type: 'text', text: 'all in' }]);
});

it('several calls are one answer, and the next round is the next step', async () => {
  const calls = ['a', 'b'].map((tool) => ({ tool, input: {} }));
  server.act('bothx', [{ say: 'at once' }, { calls }, { say: 'done' }]);
  const prompt = user('Act out bothx');
  const round = await ask([prompt]);
  expect(round).toEqual([
    { type: 'text', text: 'at once' },
    { type: 'tool_use', id: 'toolu_bothx_0', name: 'a', input: {} },
    { type: 'tool_use', id: 'toolu_bothx_0_1', name: 'b', input: {} },
  ]);
  expect(await ask([prompt, { role: 'assistant', content: round }])).toEqual([{ type: 'text', text: 'done' }]);
});

it('of each request its size can be read, and what others told the model in it', async () => {
  const result = { type: 'tool_result', tool_use_id: 't', content: 'of a tool' };
  const content = [result, { type: 'text', text: 'second: ä' }];
  const messages = [user('first'), { role: 'assistant', content: 'its own' }, { role: 'user', content }];
  await ask(messages);
  await ask([{ role: 'system', content: 'between' }]);
  const [first, second] = server.requests;
  expect(first?.told).toEqual(['first', 'second: ä']);
  expect(first?.bytes).toBe(Buffer.byteLength(JSON.stringify({ messages })));
  expect(second?.told).toEqual(['between']);
});

it('a window can be filled: requests use it by their size, and one that does not fit is too long', async () => {
  server.limitWindow(100);
  await ask([user('short')]);
  const long = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ a: 'x'.repeat(400) }),
  });
  expect(long.status).toBe(400);
  expect(await long.text()).toContain('prompt is too long: 102 tokens > 100 maximum');
  const [short] = server.requests;
  expect(short?.used?.input_tokens).toBe(Math.ceil((short?.bytes ?? 0) / 4));
  server.limitWindow(null);
  server.act('fillx', [{ call: { tool: 'Bash', input: (_: string, bytes: number) => ({ left: 1_000 - bytes }) } }]);
  expect(await ask([user('Act out fillx')])).toMatchObject([
    { input: { left: 1_000 - (server.requests.at(-1)?.bytes ?? 0) } },
  ]);
  expect(await ask([user('x'.repeat(800))])).toEqual([{ type: 'text', text: 'Noted.' }]);
});

interface Item {
  readonly type: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly arguments?: string;
  readonly content?: readonly { readonly text: string }[];
}

/** As Codex asks. */
async function respond(input: readonly object[], tools = ['exec_command']): Promise<readonly Item[]> {
  const body = { model: 'm', input, tools: tools.map((name) => ({ type: 'function', name })) };
  const response = await fetch(`${server.url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) });
  return ((await response.json()) as { output: Item[] }).output;
}

const said = (text: string): object => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

it('one script is acted out over Messages and over Responses, with the tools of each client', async () => {
  server.act('samex', [
    { say: 'now' },
    { run: 'make' },
    { call: { tool: 'mcp__signalbox__wait', input: { tasks: ['t'] } } },
    { output: { verdict: 'pass' } },
  ]);
  expect(await ask([user('Act out samex')])).toMatchObject([{ text: 'now' }, { name: 'Bash' }]);
  const prompt = said('Act out samex');
  const first = await respond([prompt]);
  expect(first).toMatchObject([
    { type: 'message', content: [{ text: 'now' }] },
    { type: 'function_call', call_id: 'toolu_samex_0', name: 'exec_command' },
  ]);
  expect(JSON.parse(first[1]?.arguments ?? '')).toMatchObject({ cmd: 'make' });
  const ran = [prompt, ...first, { type: 'function_call_output', call_id: 'toolu_samex_0', output: 'made' }];
  const second = await respond(ran);
  expect(second).toMatchObject([{ call_id: 'toolu_samex_1', namespace: 'signalbox', name: 'wait' }]);
  const third = await respond([...ran, ...second]);
  expect(third).toMatchObject([{ type: 'message', content: [{ text: '{"verdict":"pass"}' }] }]);
  expect(server.requests.at(-1)?.told).toEqual(['Act out samex']);
});

it('over Responses an answer is a stream of events, and a refusal an error', async () => {
  server.act('streamx', [
    { usage: { input_tokens: 7, output_tokens: 2, cache_read_input_tokens: 3 } },
    { say: 'hello' },
  ]);
  const body = JSON.stringify({ stream: true, input: [said('Act out streamx')] });
  const answer = await fetch(`${server.url}/v1/responses`, { method: 'POST', body });
  const events = (await answer.text()).split('\n\n').filter((event) => event !== '');
  const data = events.map((event) => JSON.parse(event.replace(/^event: .*\ndata: /, '')));
  expect(data[0].type).toBe('response.created');
  expect(data.find(({ type }) => type === 'response.output_text.delta')).toMatchObject({ delta: 'hello' });
  expect(data.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { usage: { input_tokens: 10, input_tokens_details: { cached_tokens: 3 }, total_tokens: 12 } },
  });
  server.refuseAll({ status: 429, message: 'slow down', retryAfter: 2 });
  const refused = await fetch(`${server.url}/v1/responses`, { method: 'POST', body });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await refused.json()).toMatchObject({ error: { message: 'slow down' } });
});
