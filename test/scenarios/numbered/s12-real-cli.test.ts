// S12 on the real CLI: a service that refuses, as seen by the service itself. It gets one request of each agent and the CLI's
// one retry, then none until the window is over, then one that tries, then all, in the sessions they had.
//
// An exhausted account cannot be shown here: the CLI reports that (`rate_limit_event`) only with a login of claude.ai. With a
// key it is a 429 like any other, whatever its text.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { UsageReport } from '../../../src/wire/usage-views.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { cliVersions } from '../../model-server/real-cli.ts';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import { type Ground, model, onRealCli } from '../spending/limits-real-cli.ts';
import { detached, recordOf, runEnd, runOf } from '../spending/limits-world.ts';
import { waitsFor as wordsOf } from '../world/wait-words.ts';

const timeoutMs = 90_000;
/** A window is of two seconds at first, more or less a quarter. */
const windowMinMs = 1_500;
const options = ['--harness', 'claude', '--model', model, '--sandbox', 'workspace'];
const done = [{ write: { path: 'done', text: 'x' } }, { say: 'All done.' }];

onRealCli('S12: a service that refuses real agents', (begin) => {
  it('real CLI: three of four get 429: each retries once, one tries first, all finish in their sessions [QUOTA-1] [QUOTA-2] [QUOTA-3] [QUOTA-8]', async (context) => {
    const ground = begin(context);
    const { world, prompt, asked } = ground;
    const waiting = (name: string) => ({ waitFor: world.path(name) });
    const refused = Array.from({ length: 3 }, () =>
      prompt([waiting('now'), { refuse: { status: 429, times: 2 } }, ...done]),
    );
    const calm = prompt([waiting('go'), ...done]);
    const { id } = await detached(world, [...refused, calm, ...options]);
    await until(() => asked().length === 4, { timeoutMs, what: 'four agents at work' });
    world.touch('now');
    await waitsFor(ground, id, 'rate limit until ');
    world.touch('go');
    const run = await runEnd(world, id, timeoutMs);
    expectAllDone(ground, [...refused, calm], run);

    const hit = asked().filter(({ conversation }) => !conversation.includes(calm));
    const from = hit.findIndex(({ status }) => status === 429);
    const served = hit.findIndex(({ status }, i) => i > from && status === 200);
    const at = (i: number) => hit[i]?.at ?? Number.NaN;
    expect(at(served) - at(from)).toBeGreaterThanOrEqual(windowMinMs);
    for (const session of new Set(hit.map(({ session }) => session))) {
      const answers = hit.filter((request) => request.session === session).map(({ status }) => status);
      expect(answers).toEqual([200, 429, 429, 200, 200]);
    }
    const record = await recordOf(world, id);
    expectWindows(record);
    expect(of(record, 'launch.intended').filter(({ resume }) => resume)).toHaveLength(3);
  });

  it('real CLI: a task with a fallback model goes on with it at once, in the same session [QUOTA-7]', async (context) => {
    const ground = begin(context);
    const { world, prompt, asked } = ground;
    const text = prompt([{ run: 'true' }, { refuse: { status: 429, times: 2 } }, ...done]);
    const other = 'claude-sonnet-4-5';
    const task = JSON.stringify({ prompt: text, fallback: [other], sandbox: 'workspace' });
    writeFileSync(
      join(world.repo, 'spare.plan.yaml'),
      `name: spare\ndefaults: { harness: claude, model: ${model} }\ntasks:\n  a: ${task}\n`,
    );
    const ended = await world.sb(['run', 'spare.plan.yaml']);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { run } = await world.only();
    expectAllDone(ground, [text], run);
    const models = asked().map(({ status, body }) => [status, body.model]);
    const [own, spare] = [expect.stringContaining(model), expect.stringContaining(other)];
    expect(models).toEqual([
      [200, own],
      [429, own],
      [429, own],
      [200, spare],
      [200, spare],
    ]);
    const { stdout } = await world.sb(['usage', run.id, '--by', 'model', '--json']);
    const { rows } = JSON.parse(stdout) as UsageReport;
    const turns = rows.map(({ key, usage }) => [key, usage.turns]);
    expect(Object.fromEntries(turns)).toEqual({ [model]: 1, [other]: 2 });
  });
});

/** Waits of many seconds, on one version; `CHAOS=1` makes them on all. */
onRealCli(
  'S12: a service that refuses real agents for longer',
  (begin) => {
    it('real CLI: a service that fails for a while, and then is overloaded, costs no attempt [QUOTA-2] [QUOTA-3] [QUOTA-8]', async (context) => {
      const ground = begin(context);
      const { world, prompt, asked, refuseAll } = ground;
      refuseAll({ status: 500 });
      const prompts = [prompt(done), prompt(done)];
      const { id } = await detached(world, [...prompts, ...options]);
      await waitsFor(ground, id, 'service of claude until ', 2);
      refuseAll({ status: 529 });
      await waitsFor(ground, id, 'rate limit until ', 2);
      refuseAll(null);
      const run = await runEnd(world, id, timeoutMs);
      expectAllDone(ground, prompts, run);
      const record = await recordOf(world, id);
      const refusals = asked().filter(({ status }) => status !== 200);
      expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([500, 529]));
      expect(refusals.length).toBeLessThanOrEqual(2 * of(record, 'attempt.parked').length);
      expectWindows(record, 2);
    });

    it('real CLI: an agent that is told when to come back waits without a process, and does not try before [QUOTA-2] [QUOTA-9]', async (context) => {
      const ground = begin(context);
      const { world, prompt, asked, clis } = ground;
      const steps = [{ waitFor: world.path('now') }, { refuse: { status: 429, times: 1, retryAfter: 8 } }, ...done];
      const prompts = [prompt(steps), prompt(steps)];
      const { id } = await detached(world, [...prompts, ...options]);
      await until(() => asked().length === 2, { timeoutMs, what: 'two agents at work' });
      world.touch('now');
      await waitsFor(ground, id, 'rate limit until ', 2);
      expect(clis()).toEqual([]);
      expectAllDone(ground, prompts, await runEnd(world, id, timeoutMs));
      const all = asked().slice(2);
      expect(all.map(({ status }) => status)).toEqual([429, 429, 200, 200, 200, 200]);
      expect((all[2]?.at ?? 0) - (all[0]?.at ?? 0)).toBeGreaterThanOrEqual(8_000);
      expectWindows(await recordOf(world, id));
    });
  },
  sized(['2.1.197'], [...cliVersions]),
);

async function waitsFor({ world }: Ground, id: string, why: string, tasks = 1): Promise<void> {
  const waiting = async () => (await runOf(world, id)).tasks.filter((task) => wordsOf(task).startsWith(why));
  await until(async () => (await waiting()).length >= tasks, { timeoutMs, what: `a wait for: ${why}` });
}

/** A window lies between a refusal and the first try, and between any two tries until the service answers. */
function expectWindows(record: readonly RunEvent[], triesMin = 1): void {
  const from = record.findIndex(({ type }) => type === 'attempt.limited');
  const served = record.findIndex(({ type }, i) => i > from && type === 'attempt.served');
  const tries = of(record.slice(from, served), 'launch.intended').map(({ at }) => at);
  expect(tries.length).toBeGreaterThanOrEqual(triesMin);
  const times = [record[from]?.at ?? Number.NaN, ...tries];
  for (const [i, at] of tries.entries()) expect(at - (times[i] ?? 0)).toBeGreaterThanOrEqual(windowMinMs);
}

/** With one attempt each, in one session each, with one prompt. */
function expectAllDone({ asked }: Ground, prompts: readonly string[], run: RunView): void {
  expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
  expect(run.tasks.map(({ attempts }) => attempts)).toEqual(prompts.map(() => 1));
  for (const text of prompts) {
    const mine = asked().filter(({ conversation }) => conversation.includes(text));
    expect(new Set(mine.map(({ session }) => session)).size).toBe(1);
    expect(mine.at(-1)?.conversation.split(text)).toHaveLength(2);
  }
}

function of<T extends RunEvent['type']>(record: readonly RunEvent[], type: T): Extract<RunEvent, { type: T }>[] {
  return record.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}
