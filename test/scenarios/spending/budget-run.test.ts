// A run that exhausts its budget, on the whole program: it waits, notifies once, says how to raise it, and continues then.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { hasPty, sit } from '../terminal/terminal-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld();
  Object.assign(world.env, { SIGNALBOX_NOTIFY: `cat >>'${world.path('told')}'` });
});
afterEach(() => world.close());

/** Two tasks, one after the other, each of which costs a cent. */
function putPlan(limits: string): void {
  const script = JSON.stringify([{ usage: { input_tokens: 500, cost_usd: 0.01 } }, { say: 'done' }]);
  const task = `harness: scripted, prompt: x, settings: { script: '${script}' }`;
  const text = `name: dear\n${limits}tasks:\n  first: { ${task} }\n  second: { ${task}, needs: first }\n`;
  writeFileSync(join(world.repo, 'dear.plan.yaml'), text);
}

const told = () =>
  world
    .text('told')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { kind: string; words: string });

async function isDone(): Promise<boolean> {
  const [run] = await world.list();
  return run?.outcome === 'succeeded';
}

describe('a run without a terminal', () => {
  it('ends with 4 when only a budget is in its way, which is reported once, and goes on when there is more [BUD-19] [BUD-28]', async () => {
    putPlan('limits: { budget: { usd: 0.01 } }\n');
    const left = await world.sb(['run', 'dear.plan.yaml']);
    expect(left.code, left.stderr).toBe(4);
    expect(left.stdout).toContain('the budget of the run is exhausted');
    const [, raise = ''] = /^ {2}raise it: signalbox (budget run_\w+ --usd 0\.02)$/m.exec(left.stderr) ?? [];
    expect(left.stderr).toContain(
      'The run waits for a higher budget.\nthe budget of the run is exhausted: $0.01 of $0.01\n',
    );
    await until(() => told().length > 0, { timeoutMs: 20_000, what: 'the budget to be told' });
    expect(told().map(({ kind }) => kind)).toEqual(['budget']);

    const inbox = await world.sb(['inbox']);
    expect(inbox.code).toBe(3);
    expect(inbox.stdout).toMatch(
      /^run {2}\(dear, waiting for .*\)\n {4}the budget of the run is exhausted: .*\n {2}signalbox budget run_/,
    );
    const ps = (await world.sb(['ps'])).stdout;
    expect(ps).toContain('  budget: $0.01 of $0.01\n  the budget of the run is exhausted: $0.01 of $0.01\n');
    expect(ps).toMatch(/second +waits for budget: the budget of the run is exhausted/);
    // A later client sees the same, and no person is notified again.
    const again = await world.sb(['ps', '--watch', 'dear']);
    expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('raise it: signalbox budget run_')]);
    expect(told()).toHaveLength(1);

    expect((await world.sb(raise.split(' '))).code).toBe(0);
    await until(isDone, { timeoutMs: 30_000, what: 'the run to end' });
    expect(await world.sb(['inbox'])).toMatchObject({ code: 0, stdout: 'Nothing waits for you.\n' });
    expect((await world.sb(['ps', '--all'])).stdout).toContain('  budget: $0.02 of $0.02\n');
  });

  it('goes on when its ask is answered with an amount, which is taken once [ASK-5] [BUD-28]', async () => {
    putPlan('limits: { budget: { usd: 0.01 } }\n');
    expect((await world.sb(['run', 'dear.plan.yaml'])).code).toBe(4);
    const inbox = (await world.sb(['inbox'])).stdout;
    const [, ask = ''] = /^ {2}signalbox answer (ask_\w+-r1) --usd 0\.02$/m.exec(inbox) ?? [];
    const empty = await world.sb(['answer', ask]);
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('--usd 5')]);
    expect((await world.sb(['approve', ask])).code).not.toBe(0);
    expect(await world.sb(['answer', ask, '--usd', '0.02'])).toMatchObject({ code: 0 });
    await until(isDone, { timeoutMs: 30_000, what: 'the run to end' });
    expect(await world.sb(['inbox'])).toMatchObject({ code: 0, stdout: 'Nothing waits for you.\n' });
    expect((await world.sb(['answer', ask, '--usd', '9'])).code).not.toBe(0);
  });

  it('ends with 4 for the day as well [BUD-19]', async () => {
    putPlan('');
    await world.sb(['budget', '--day', '--tokens', '400']);
    const left = await world.sb(['run', 'dear.plan.yaml']);
    expect([left.code, left.stderr]).toEqual([
      4,
      expect.stringContaining('  raise it: signalbox budget --day --tokens 800'),
    ]);
    await world.sb(['budget', '--day', '--clear', 'tokens']);
    await until(isDone, { timeoutMs: 30_000, what: 'the run to end' });
  });

  it('prints the waiting run with --json [BUD-19] [CLI-7]', async () => {
    putPlan('limits: { budget: { usd: 0.01 } }\n');
    const left = await world.sb(['run', 'dear.plan.yaml', '--json']);
    expect(left.code, left.stderr).toBe(4);
    expect(JSON.parse(left.stdout)).toMatchObject({
      state: 'running',
      asks: [{ kind: 'budget', budget: { what: 'microUsd', limit: 10_000 } }],
    });
  });
});

describe.runIf(hasPty)('on a terminal', () => {
  it('the run stays, and shows what it waits for [BUD-27]', async () => {
    putPlan('limits: { budget: { usd: 0.01 } }\n');
    const seat = sit(world, ['run', 'dear.plan.yaml']);
    await seat.shows('(budget: $0.01 of $0.01)');
    await seat.shows('needs you: signalbox inbox');
    const [run] = await world.list();
    expect((await world.sb(['budget', run?.id ?? '', '--usd', '1'])).code).toBe(0);
    expect(await seat.ended).toBe(0);
  });
});
