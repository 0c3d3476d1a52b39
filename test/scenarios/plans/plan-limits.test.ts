// What a plan may spend, as people see it before anything is spent: the worst case of a dry run, a confirmation, and limits on
// the command line.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { hasPty, sit } from '../terminal/terminal-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

function put(text: string): void {
  writeFileSync(join(world.repo, 'a.plan.yaml'), text);
}

const isDaemonUp = (): boolean => existsSync(join(world.home, 'daemon.json'));

const costly = `name: costly
limits: { budget: $5, confirm-above: $3 }
tasks:
  a: { prompt: x, budget: $1, writes: [] }
  b: { prompt: x, matrix: [1, 2, 3], budget: $2, retry: { attempts: 2 }, writes: [] }
`;

describe('a dry run', () => {
  it('prints the worst case, and starts nothing [PLAN-23]', async () => {
    put(costly);
    const { code, stdout } = await world.sb(['run', 'a.plan.yaml', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "worst case: at most $5.00 (the run's budget); tasks alone could use $7.00 in 15 attempts\nnothing was started\n",
    );
    const json = await world.sb(['run', 'a.plan.yaml', '--dry-run', '--json', '--max-usd', '$2.50']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      worstCase: { attempts: { known: 15 }, by: { microUsd: { run: 2_500_000, atMost: 2_500_000 } } },
    });
    expect(isDaemonUp()).toBe(false);
  });
});

describe('a run that could spend more than confirm-above', () => {
  it('is refused without a terminal, and nothing starts [PLAN-24]', async () => {
    put(costly);
    const { code, stderr } = await world.sb(['run', 'a.plan.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "this plan is confirmed above $3.00, and could spend more: at most $5.00 (the run's budget); tasks alone could use $7.00",
    );
    expect(stderr).toContain('say yes with --yes');
    put('name: x\nlimits: { confirm-above: { turns: 5 } }\ntasks:\n  a: { prompt: x }\n');
    const unbounded = await world.sb(['run', 'a.plan.yaml']);
    expect(unbounded.code).toBe(2);
    expect(unbounded.stderr).toContain('no limit on turns; tasks without a budget: a');
    put('name: x\nlimits: { confirm-above: { agents: 5 } }\ntasks:\n  a: { prompt: x, matrix: [1, 2, 3] }\n');
    const many = await world.sb(['run', 'a.plan.yaml']);
    expect(many.code).toBe(2);
    expect(many.stderr).toContain('confirmed above 5 agents, and there could be more: 9 attempts');
    expect(isDaemonUp()).toBe(false);
  });

  it('runs with --yes, with stubs, and below the amount [PLAN-24]', async () => {
    const script = JSON.stringify([{ say: 'done' }]);
    put(`name: x\nlimits: { confirm-above: $3 }\ntasks:\n  a: { prompt: x, settings: { script: '${script}' } }\n`);
    expect((await world.sb(['run', 'a.plan.yaml'])).code).toBe(2);
    expect((await world.sb(['run', 'a.plan.yaml', '--yes'])).code).toBe(0);
    expect((await world.sb(['run', 'a.plan.yaml', '--stubs'])).code).toBe(0);
    put('name: x\nlimits: { confirm-above: $3 }\ntasks:\n  a: { run: "true" }\n');
    expect((await world.sb(['run', 'a.plan.yaml'])).code).toBe(0);
  });

  it.runIf(hasPty)('is asked at a terminal, and not run without a yes [PLAN-24]', async () => {
    put(costly);
    const sitting = sit(world, ['run', 'a.plan.yaml']);
    await sitting.shows('Run it? [y/N]');
    expect(sitting.shown()).toContain('could spend more');
    sitting.type('n\r');
    await sitting.shows('Not run.');
    expect(await sitting.ended).toBe(0);
    expect(isDaemonUp()).toBe(false);
  });
});

describe('limits on the command line', () => {
  it("are the run's budget, of prompts and before a plan's [CLI-15]", async () => {
    const budgetOf = async (): Promise<unknown> => {
      const run = (await world.list()).at(-1);
      const events = await world.sb(['events', run?.id ?? '', '--json']);
      const [first = '{}'] = events.stdout.split('\n');
      return JSON.parse(first).event.run.limits.budget;
    };
    const limits = [
      '--max-usd',
      '$5',
      '--max-tokens',
      '2M',
      '--max-turns',
      '50',
      '--max-time',
      '2h',
      '--max-agents',
      '3',
    ];
    const script = world.script([{ usage: { input_tokens: 5, output_tokens: 5, cost_usd: 0.01 } }, { say: 'done' }]);
    const ran = await world.sb(['run', 'x', '--script', script, ...limits]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(await budgetOf()).toEqual({
      microUsd: 5_000_000,
      tokens: 2_000_000,
      turns: 50,
      timeMs: 7_200_000,
      agents: 3,
    });
    put('name: x\nlimits: { budget: { usd: 1, turns: 5 } }\ntasks:\n  a: { run: "true" }\n');
    expect((await world.sb(['run', 'a.plan.yaml', '--max-usd', '2'])).code).toBe(0);
    expect(await budgetOf()).toEqual({ microUsd: 2_000_000, turns: 5 });
  });

  it('that are invalid are refused in words [CLI-15]', async () => {
    for (const [option, value, why] of [
      ['--max-usd', '-1', 'is below zero'],
      ['--max-tokens', '0', 'is nothing'],
      ['--max-time', '5', 'has no unit'],
      ['--max-agents', '0', 'a whole number from 1'],
      ['--max-turns', '1.5', 'there are only whole turns'],
    ] as const) {
      const { code, stderr } = await world.sb(['run', 'x', `${option}=${value}`]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    expect(isDaemonUp()).toBe(false);
  });
});

describe('prices', () => {
  it("of models are known to a check, from the list and the user's file [PLAN-26]", async () => {
    put('name: x\ntasks:\n  a: { prompt: x, harness: claude, model: claude-opus-99 }\n');
    expect((await world.sb(['plan', 'check', 'a.plan.yaml'])).code).toBe(0);
    const limited = await world.sb(['run', 'a.plan.yaml', '--max-usd', '5', '--dry-run']);
    expect(limited.code).toBe(2);
    expect(limited.stderr).toContain(
      'a.plan.yaml:3:43: error: money is limited here, and what "claude-opus-99" costs is not known',
    );
    const file = join(world.home, 'prices.json');
    expect(limited.stderr).toContain(`write its price into ${file}`);
    mkdirSync(world.home, { recursive: true });
    writeFileSync(file, '{ "claude-opus-99": { "input": 1, "output": 5 } }');
    expect((await world.sb(['run', 'a.plan.yaml', '--max-usd', '5', '--dry-run'])).code).toBe(0);
    writeFileSync(file, '{ "claude-opus-99": { "input": 1 } }');
    const broken = await world.sb(['plan', 'check', 'a.plan.yaml']);
    expect([broken.code, broken.stderr]).toEqual([
      0,
      `${file}:1:1: warning: these prices are not used: "claude-opus-99" lacks "output"\n`,
    ]);
    expect(isDaemonUp()).toBe(false);
  });
});
