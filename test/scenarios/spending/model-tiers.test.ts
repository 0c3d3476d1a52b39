// Tiers on the whole program: which models agents and children get, and what an example plan costs with tiers and without, by list
// prices. Every task uses the tokens of `usualTask`, so that the figures are those that a dry run foretells.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { listPrices } from '../../../src/harness/list-prices.ts';
import { priceOf } from '../../../src/model/spending/prices.ts';
import { usualTask } from '../../../src/plan/preview/model-costs.ts';
import { usageReport } from '../../../src/wire/usage-views.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { root } from '../../source-files.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();

/** As the current models of Claude Code, for agents that call no model. */
const models = { strong: 'claude-opus-5-5', fast: 'claude-sonnet-5-5', cheap: 'claude-haiku-5-5' };
const used = {
  usage: {
    input_tokens: usualTask.inputTokens,
    output_tokens: usualTask.outputTokens,
    cache_read_input_tokens: usualTask.cacheReadTokens,
    cache_creation_input_tokens: usualTask.cacheWriteTokens,
    cost_usd: null,
  },
};

interface AnyTask {
  run?: string;
  example?: unknown;
  [name: string]: unknown;
}

/** The example with scripted agents that use tokens; its commands are played too. */
function played(name: string): { tasks: Record<string, AnyTask>; [name: string]: unknown } {
  const plan = parse(readFileSync(join(root, 'examples', name, `${name}.plan.yaml`), 'utf8'));
  for (const task of Object.values(plan.tasks as Record<string, AnyTask>)) {
    const { run, example, checks: _, ...rest } = task;
    for (const key of Object.keys(task)) delete task[key];
    Object.assign(task, rest, example === undefined ? {} : { example });
    if (run !== undefined && example === undefined) task.run = 'true';
    else if (run !== undefined) task.run = `printf %s '${JSON.stringify(example)}' >"$SIGNALBOX_OUTPUT"`;
    else task['settings'] = { script: JSON.stringify([used, { output: example ?? {} }]) };
  }
  return { ...plan, defaults: { ...plan.defaults, harness: 'scripted' } };
}

function put(world: World, name: string, text: string): string {
  const file = join(world.repo, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const configured = stringify({ models: { scripted: models } });

async function costs(world: World, plan: object): Promise<Record<string, number>> {
  const file = put(world, 'played.plan.yaml', stringify(plan));
  const ran = await world.sb(['run', file, '--json']);
  expect(ran.code, ran.stderr).toBe(0);
  const { id } = JSON.parse(ran.stdout) as RunView;
  const { rows } = await world.client().get(`/usage?run=${id}&by=model`, usageReport);
  // The agent knows no price: the shipped list does.
  return Object.fromEntries(
    rows.map(({ name, usage }) => [
      name ?? '',
      priceOf({ listed: listPrices, own: new Map() }, name, usage) ?? Number.NaN,
    ]),
  );
}

/** An output counts a few tokens more. */
const about = (microUsd: number): number => expect.closeTo(microUsd, -5);

const sum = (rows: Record<string, number>): number => Object.values(rows).reduce((all, each) => all + each, 0);

it('an example costs with tiers what its dry run foretold, and far less than on the strong model alone [TIER-4]', async () => {
  const world = openWorld();
  put(world, '.signalbox/config.yaml', configured);
  const plan = played('jest-to-vitest');
  const tiered = await costs(world, plan);
  for (const task of Object.values(plan.tasks)) if ('model' in task || 'role' in task) task['model'] = 'strong';
  const strong = await costs(world, plan);
  // Two tasks for a strong model and four files: 65 % less. The more files, the more is saved.
  expect(tiered).toEqual({ 'claude-opus-5-5': about(2 * 448_000), 'claude-haiku-5-5': about(4 * 13_200) });
  expect(strong).toEqual({ 'claude-opus-5-5': about(6 * 448_000) });
  expect(Math.round(100 * (1 - sum(tiered) / sum(strong)))).toBe(65);
  const shown = await world.sb([
    'run',
    put(world, 'shown.plan.yaml', stringify(played('jest-to-vitest'))),
    '--dry-run',
  ]);
  // Items that only the run knows count as one.
  expect(shown.stdout).toMatch(/^models: +strong = claude-opus-5-5 \(scripted\): recipe, refute$/m);
  expect(shown.stdout).toContain('~$0.91 with these models, ~$1.34 with the strong one for all: 32 % less');
});

it('a plan of research and one change saves little: most of its tasks need a strong model [TIER-4]', async () => {
  const world = openWorld();
  put(world, '.signalbox/config.yaml', configured);
  const plan = played('bug-hunt');
  const { stdout } = await world.sb([
    'run',
    put(world, 'b.plan.yaml', stringify(plan)),
    '--dry-run',
    '--input',
    'bug=x',
  ]);
  expect(stdout).toMatch(/fast = claude-sonnet-5-5 \(scripted\): trace, reproduce$/m);
  expect(stdout).toContain('no model or price is known of: fix');
  expect(stdout).toContain('21 % less');
});

it('the journal names the model that a tier means, and a tier without one is told [TIER-1, TIER-2]', async () => {
  const world = openWorld();
  put(
    world,
    '.signalbox/config.yaml',
    stringify({ models: { scripted: { cheap: 'tiny' }, claud: { cheap: 'haiku' } } }),
  );
  const args = ['run', 'work', '--script', world.script([{ say: 'done' }]), '--json', '--model'];
  const wrong = await world.sb([...args, 'cheap']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('there is no harness "claud"')]);
  put(world, '.signalbox/config.yaml', stringify({ models: { scripted: { cheap: 'tiny' } } }));
  const ran = await world.sb([...args, 'cheap']);
  expect(ran.stderr).toContain('model tiny (cheap)');
  const { id } = JSON.parse(ran.stdout) as RunView;
  const events = await world.sb(['events', id, '--json']);
  expect(events.stdout).toContain('"model":"tiny"');
  expect(events.stdout).toMatch(/"models":\{"claude":\{"strong":"opus"/);
});
