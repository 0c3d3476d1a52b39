// The brake on the whole program, with the scripted agent and with the real CLI: a budget of requests holds in the middle of
// a turn, what was used is known to the last request, and more of it lets the same session go on.

import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { model, onNewestCli } from './limits-real-cli.ts';
import { recordOf, runEnd, runOf, submit, taskNamed } from './limits-world.ts';

const timeoutMs = 60_000;
const use = { usage: { input_tokens: 100, output_tokens: 10 } };
const steps = ['a', 'b', 'c', 'd'].flatMap((path) => [use, { write: { path, text: 'x' } }]);

/** Two requests are allowed, then any number. */
async function spend(world: World, task: object): Promise<void> {
  const { id } = await submit(world, [{ name: 'a', prompt: 'a', budget: { turns: 2 }, ...task }]);
  const types = async () => (await recordOf(world, id)).map(({ type }) => type);
  await until(async () => (await types()).includes('attempt.parked'), { timeoutMs, what: 'the attempt to be parked' });
  const parked = taskNamed(await runOf(world, id), 'a');
  expect(parked.usage).toMatchObject({ turns: 2, inputTokens: 200, outputTokens: 20 });
  expect(world.agents()).toEqual([]);
  const more = await world.sb(['budget', id, 'a', '--turns', '100']);
  expect(more.code, more.stderr).toBe(0);
  const run = await runEnd(world, id, timeoutMs);
  const done = taskNamed(run, 'a');
  expect([done.outcome?.kind, done.attempts]).toEqual(['succeeded', 1]);
  expect(run.usage.turns).toBe(done.usage.turns);
  const sessions = (await recordOf(world, id)).filter(({ type }) => type === 'agent.session');
  expect(sessions).toHaveLength(1);
}

describe('a scripted agent under a budget', () => {
  let world: World;
  afterEach(() => world.close());

  it('makes at most the allowed requests, and goes on when there is more [BUD-2, HAR-26] [BUD-5]', async () => {
    world = openWorld();
    await world.up();
    await spend(world, { settings: { script: JSON.stringify(steps) } });
  });
});

onNewestCli('a real agent under a budget', (begin) => {
  it('real CLI: makes at most the allowed requests, and goes on when there is more [BUD-2, HAR-26] [BUD-5]', async (context) => {
    const { world, prompt, asked } = begin(context);
    await world.up();
    const text = prompt([...steps, { say: 'All done.' }]);
    await spend(world, { prompt: text, harness: 'claude', settings: { model }, sandbox: 'workspace' });
    expect(asked().filter(({ conversation }) => conversation.includes(text))).toHaveLength(5);
  });

  it('real CLI: what a killed process had used is known from its session [BUD-10]', async (context) => {
    const { world, prompt, clis } = begin(context);
    await world.up();
    const waiting = world.path('go');
    const text = prompt([use, { run: 'true' }, use, { waitFor: waiting }, { say: 'All done.' }]);
    const task = { name: 'a', prompt: text, harness: 'claude', settings: { model }, sandbox: 'workspace' as const };
    const { id } = await submit(world, [task]);
    const usage = async () => taskNamed(await runOf(world, id), 'a').usage;
    await until(() => world.processes().some(({ command }) => command.includes(waiting)), {
      timeoutMs,
      what: 'the wait',
    });
    for (const { pid } of clis()) process.kill(pid, 'SIGKILL');
    await until(async () => (await usage()).inputTokens > 0, { timeoutMs, what: 'the use of the dead process' });
    // How much the last request wrote may not have reached the disk.
    expect(await usage()).toMatchObject({ turns: 2, inputTokens: 200 });
  });
});
