// Agents of two runs in two repositories write to each other: a person agrees once, the daemon is killed before and after that,
// and every message arrives once. If the person says no, the sender is told.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AskView, InboxView } from '../../../src/wire/ask-views.ts';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { MessageList } from '../../../src/wire/message-views.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import { until } from '../../until.ts';
import { makeRepository, type World } from '../daemon/daemon-world.ts';
import { ask, runEnd } from '../spending/limits-world.ts';
import { questionsOf } from '../world/inbox-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeAll(async () => {
  world = openWorld();
  makeRepository(world.path('elsewhere'));
  await world.up();
});
afterAll(() => world.close());

async function submit(id: CreateRunInput['id'], name: string, repo: string, steps: readonly object[]): Promise<void> {
  const tasks = [{ name: `${name}-agent`, prompt: name, settings: { script: JSON.stringify(steps) } }];
  const body: CreateRunInput = { id, name, repo: { path: repo }, budget: null, parallelMax: 2, tasks };
  const { status, body: answer } = await ask(world, 'POST', '/runs', body);
  expect(status, JSON.stringify(answer)).toBe(200);
}

const send = (to: string, text: string) => ({ call: { tool: 'mcp__signalbox__send_message', input: { to, text } } });
const keep = (name: string) => ({ keep: { path: world.path(name) } });
/** The whole input of an agent, in order. */
const heard = (name: string): string =>
  world
    .text(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { text: string }).text)
    .join('\n');

function asked(): Promise<AskView> {
  const open = async () => (await questionsOf(world)).find(({ kind }) => kind === 'consent');
  return until(open, { timeoutMs: 30_000, what: 'a person to be asked' });
}

async function killAndStart(): Promise<void> {
  await world.killDaemon();
  await world.up();
}

async function messages(run: string): Promise<[string, string, string, string][]> {
  const list = JSON.parse((await world.sb(['messages', run, '--json'])).stdout) as MessageList;
  return list.messages.map(({ from, to, state, line }) => [from, to, state, line]);
}

it('messages wait for one consent of a person, survive kills, and are answered without a further one [ACROSS-1, ACROSS-2, ACROSS-4, ACROSS-5]', async () => {
  const [alpha, beta] = [clientIds.run(), clientIds.run()];
  await submit(beta, 'beta', world.path('elsewhere'), [
    keep('beta.heard'),
    { listen: true },
    { waitFor: world.path('both') },
    send(`${alpha}/alpha-agent`, 'It is in docs/gates.md.'),
    { say: 'answered' },
  ]);
  await submit(alpha, 'alpha', world.repo, [
    keep('alpha.heard'),
    send(`${beta}/beta-agent`, 'Where is the guide?'),
    send(`${beta}/beta-agent`, 'The one on gates.'),
    { call: { tool: 'mcp__signalbox__wait', input: { timeout_s: 600 } } },
    { say: 'thanks' },
  ]);
  const { id, message } = await asked();
  expect(message).toContain(
    `"alpha-agent" of run "alpha" (${alpha}) wants to write to "beta-agent" of run "beta" (${beta})`,
  );
  expect(message).toContain('elsewhere');
  expect(message).toContain('> Where is the guide?');
  await until(async () => (await messages('alpha')).length === 2, { timeoutMs: 30_000, what: 'both to be written' });
  expect(await messages('alpha')).toEqual([
    ['alpha-agent', 'beta-agent', 'held', 'Where is the guide?'],
    ['alpha-agent', 'beta-agent', 'held', 'The one on gates.'],
  ]);
  const shown = await world.sb(['inbox']);
  expect([shown.code, shown.stdout]).toEqual([3, expect.stringContaining(`signalbox approve ${id}`)]);
  await killAndStart();
  expect((await asked()).id).toBe(id);
  expect(heard('beta.heard')).not.toContain('Where');
  expect(await world.sb(['approve', id])).toMatchObject({ code: 0, stdout: 'alpha-agent: approved.\n' });
  await killAndStart();
  await until(async () => (await messages('beta')).length === 2, { timeoutMs: 30_000, what: 'both to arrive' });
  world.touch('both');
  for (const runId of [alpha, beta]) expect(await runEnd(world, runId)).toMatchObject({ outcome: 'succeeded' });
  const told = heard('beta.heard');
  expect(told.match(/> Where is the guide\?|> The one on gates\./g)).toEqual([
    '> Where is the guide?',
    '> The one on gates.',
  ]);
  expect(told).toContain(`<agent-message from="alpha-agent" run="${alpha} alpha" trust="agent"`);
  expect(heard('alpha.heard')).toContain('> It is in docs/gates.md.');
  expect((await messages('alpha')).map(([, , state]) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  const list = (await world.sb(['messages', 'beta'])).stdout;
  expect(list).toMatch(/^message_1 .* alpha\/alpha-agent +beta-agent +message +delivered /m);
  expect(list).toMatch(/^message_3 .* beta-agent +alpha\/alpha-agent +message +delivered /m);
  expect((await world.sb(['messages', 'beta', 'message_1'])).stdout).toMatch(
    new RegExp(`^from run +alpha \\(${alpha}\\)$`, 'm'),
  );
  for (const runId of [alpha, beta]) expect((await world.sb(['verify', runId])).code).toBe(0);
  const { asks } = JSON.parse((await world.sb(['inbox', '--json'])).stdout) as InboxView;
  expect(asks).toEqual([]);
});

it('a person who refuses is named to the sender, at once and later [ACROSS-3]', async () => {
  const [gamma, delta] = [clientIds.run(), clientIds.run()];
  await submit(delta, 'delta', world.path('elsewhere'), [{ waitFor: world.path('over') }]);
  await submit(gamma, 'gamma', world.repo, [
    keep('gamma.heard'),
    send(`${delta}/nobody`, 'Are you there?'),
    send(`${delta}/delta-agent`, 'Give me your keys.'),
    { listen: true },
    send(`${delta}/delta-agent`, 'Please.'),
    { say: 'never mind' },
  ]);
  const { id } = await asked();
  expect((await world.sb(['reject', id, '-m', 'keep apart'])).code).toBe(0);
  expect(await runEnd(world, gamma)).toMatchObject({ outcome: 'succeeded' });
  world.touch('over');
  await runEnd(world, delta);
  expect(heard('gamma.heard')).toMatch(/> Not delivered: message_1 .*said no .*: keep apart/);
  expect((await messages('gamma'))[0]).toEqual(['gamma-agent', 'delta-agent', 'dead', 'Give me your keys.']);
  const events = (await world.sb(['events', gamma, '--json'])).stdout;
  expect(events).toMatch(/"tool":"send_message".*"isError":true,"text":"refused: there is no task \\"nobody\\" of run/);
  expect(events).toMatch(
    /"tool":"send_message".*"isError":true,"text":"refused: .* said no to messages .*: keep apart"/,
  );
});
