// The request for a run of prompts: each is a task, with the options of the command line and the values of the configuration.

import type { Configuration } from '../../configuration/configuration.ts';
import { checkNames } from '../../plan/check/check-names.ts';
import { Fault } from '../../std/fault.ts';
import { clientIds } from '../../wire/id-pattern.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import { here } from '../client/current-directory.ts';
import { configuredHistory } from '../client/landing-history.ts';
import { landingTarget } from '../client/landing-target.ts';
import { budgetOption } from '../options/budget-option.ts';
import { childrenOption } from '../options/children-option.ts';
import { namePrompts, runName } from '../text/task-names.ts';
import type { ChosenAgent } from './choose-agent.ts';
import { settingOf } from './plan-arguments.ts';
import { readImages, refuseTooMuch } from './read-images.ts';
import { readScripts } from './read-scripts.ts';
import type { RunOptions } from './run.ts';

export async function promptRequest(
  words: readonly string[],
  options: RunOptions,
  { harness, model, effort }: ChosenAgent,
  configured: Configuration['values'],
): Promise<CreateRunInput> {
  const prompts = namePrompts(words);
  const names = prompts.map(({ name }) => name);
  const scripts = await readScripts(options.script ?? [], prompts.length);
  const checks = await checksOf(options.check, configured.checks);
  const images = await readImages(options.attach ?? [], here());
  const needs = needsOf(options, names);
  const tasks = prompts.map(({ name, prompt }, i) => ({
    name,
    prompt,
    ...(images.length === 0 ? {} : { images }),
    needs: needs[i] ?? [],
    settings: settingsOf({ ...options, model, effort }, scripts[i]),
    checks,
    attemptsMax: options.retries + 1,
    retryHow: options.retryHow,
    sendBacksMax: options.sendBacks,
    conflictsMax: options.conflicts,
    onConflict: options.onConflict,
    timeoutMs: options.timeout === undefined ? null : options.timeout * 1000,
    caps: {
      outputBytes: bytesOf(options.outputMax),
      memoryBytes: bytesOf(options.memoryMax),
      processesMax: options.processesMax,
      stallMs: options.stall === undefined ? undefined : options.stall * 1000,
      toolStallMs: options.toolStall === undefined ? undefined : options.toolStall * 1000,
    },
    harness,
    writes: options.writes === undefined ? null : [...options.writes],
    reads: [...(options.reads ?? [])],
    permissions: { allow: [...(options.allow ?? [])], ask: [...(options.ask ?? [])], deny: [...(options.deny ?? [])] },
    sandbox: options.sandbox,
  }));
  refuseTooMuch(tasks);
  const repo = { path: here(), base: options.base ?? null };
  // Alternatives to the same end would only conflict with each other.
  const integrates = options.apart !== true;
  const together = options.into !== undefined ? '--into' : needs.some((names) => names.length > 0) ? '--needs' : null;
  if (!integrates && together !== null) {
    throw new Fault(
      'bad_request',
      `--apart keeps the work of each prompt by itself, ${together} brings it together: leave one out`,
    );
  }
  const { limits } = configured;
  const budget = budgetOption(options, limits?.budget);
  const name = options.name ?? runName(prompts);
  const children = childrenOption(options, limits?.agents);
  return {
    id: clientIds.run(),
    name,
    repo,
    integrates,
    ...landingTarget(options, { history: configuredHistory(configured) }),
    ...(limits?.maxParallel ? { parallelMax: limits.maxParallel } : {}),
    harnessMax: { ...limits?.perHarness },
    setup: configured.setup ?? null,
    budget,
    models: configured.models ?? {},
    children,
    tasks,
  };
}

/** Checks from the command line, else from the configuration. */
async function checksOf(
  commands: readonly string[] | undefined,
  configured: Configuration['values']['checks'],
): Promise<NonNullable<CreateRunInput['tasks'][number]['checks']>> {
  if (commands === undefined && configured !== undefined) {
    const [{ checksOf: read }, { compiledChecks }] = await Promise.all([
      import('../../plan/file/common-from.ts'),
      import('../../plan/compile/compile-checks.ts'),
    ]);
    return compiledChecks(read(configured) ?? []);
  }
  const names = checkNames(commands ?? []);
  return (commands ?? []).map((run, i) => ({ name: names[i] as string, argv: ['sh', '-c', run] }));
}

function settingsOf(
  {
    model,
    effort,
    argv,
    mcp,
    set = [],
  }: Pick<RunOptions, 'argv' | 'set' | 'mcp'> & Pick<ChosenAgent, 'model' | 'effort'>,
  script: string | undefined,
): Record<string, string> {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['script', script],
    ['model', model],
    ['effort', effort],
    ['mcp', mcp?.join(',')],
    ['argv', argv === undefined ? undefined : JSON.stringify(['sh', '-c', argv, 'sh', '{prompt}'])],
    ...set.map(settingOf),
  ];
  const settings: Record<string, string> = {};
  for (const [name, value] of named) {
    if (value === undefined) continue;
    if (Object.hasOwn(settings, name)) throw new Fault('bad_request', `the setting "${name}" is given twice`);
    settings[name] = value;
  }
  return settings;
}

/** Options give MiB. */
function bytesOf(mebibytes: number | undefined): number | undefined {
  return mebibytes === undefined ? undefined : Math.round(mebibytes * 2 ** 20);
}

/** Needs by prompt number: `3:1` says that the third prompt needs the first. */
function needsOf({ needs = [], needsChain }: RunOptions, names: readonly string[]): string[][] {
  const all = names.map((_, i): Set<string> => new Set(needsChain === true && i > 0 ? [names[i - 1] as string] : []));
  for (const text of needs) {
    const [task, need] = text.split(':').map((part) => Number(part) - 1) as [number, number | undefined];
    const name = need === undefined ? undefined : names[need];
    const set = all[task];
    if (set === undefined || name === undefined) {
      throw new Fault('bad_request', `--needs ${text}: write two numbers of prompts, as in 3:1`);
    }
    set.add(name);
  }
  return all.map((set) => [...set]);
}
