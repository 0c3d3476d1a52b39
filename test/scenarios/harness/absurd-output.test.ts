// Agents that print absurd lines: nested 100,000 levels deep, numbers beyond all bounds, halves of characters. Their tasks end,
// every view answers, and a stop stops.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { detached, runEnd, runOf, taskNamed } from '../spending/limits-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: '4' });
});

afterEach(() => world.close());

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
/** Still more than a stack holds, and several fit into a script. */
const deep = nested(12_000);
const raw = (line: string): object => ({
  raw: { base64: Buffer.from(`${line}\n`).toString('base64'), newline: false },
});
const call = (input: string): string =>
  `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":${input}}]}}`;

const absurd: Readonly<Record<string, readonly string[]>> = {
  'deep-call': [call(nested(100_000)), call(`{"command":${deep}}`)],
  'deep-everywhere': [
    `{"type":"result","subtype":"success","is_error":true,"errors":${deep},"api_error_status":${deep}}`,
    `{"type":"user","message":{"content":${deep}},"tool_use_result":${deep}}`,
    `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":${deep}}}`,
  ],
  'huge-numbers': [
    '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1e308,"utilization":1e308}}',
    '{"type":"system","subtype":"compact_boundary","compact_metadata":{"pre_tokens":1e308,"post_tokens":-1e308}}',
    '{"type":"assistant","message":{"id":"m","content":[],"usage":{"input_tokens":1e308,"output_tokens":-1}}}',
  ],
  'half-characters': [
    '{"type":"system","subtype":"init","session_id":"\\ud800"}',
    call('{"command":"echo \\udc00"}'),
    '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"\\ud83d"}]}}',
  ],
};

it('lines with absurd values block neither a slot nor a view nor a stop [HAR-24]', async () => {
  const names = [...Object.keys(absurd), 'stopped'];
  const done = { write: { path: 'done.txt', text: 'yes\n' } };
  const scripts = Object.values(absurd).map((lines) => world.script([...lines.map(raw), done]));
  const hanging = world.script([raw(call(deep)), { say: 'Now I hang.' }, { hang: true }]);
  const given = [...scripts, hanging].flatMap((file) => ['--script', file]);
  // One slot too few: whichever is blocked keeps the last from starting.
  const { id } = await detached(world, [...names, ...given]);
  const ended = (name: string): Promise<unknown> =>
    until(async () => taskNamed(await runOf(world, id), name).outcome, { timeoutMs: 60_000, what: `${name} to end` });
  for (const name of Object.keys(absurd)) {
    expect(await ended(name), name).toMatchObject({ kind: 'succeeded' });
  }
  const hung = await until(
    async () => {
      const task = taskNamed(await runOf(world, id), 'stopped');
      return task.progress?.lastText === 'Now I hang.' && task;
    },
    { timeoutMs: 60_000, what: 'the last one to hang' },
  );
  const views = [['ps'], ['ps', '--json'], ['usage'], ['inbox'], ['status'], ['review', id], ['logs', hung.id]];
  for (const task of (await runOf(world, id)).tasks) views.push(['logs', task.id]);
  for (const view of views) {
    const { code, stderr } = await world.sb(view);
    expect(code, `${view.join(' ')}: ${stderr}`).toBe(0);
  }
  expect((await world.sb(['stop', hung.id])).code).toBe(0);
  expect(taskNamed(await runEnd(world, id), 'stopped').outcome).toMatchObject({ kind: 'stopped' });
  expect((await world.sb(['verify'])).code).toBe(0);
  expect(world.agents()).toEqual([]);
}, 180_000);
