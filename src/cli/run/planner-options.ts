// What each option of `run` means together with `--plan`. All of them are listed: an option either reaches the planner and its
// plan, or is refused with what to do instead. None is dropped.

import type { CommonFile, PlanFile, TaskFile } from '../../plan/file/plan-file.ts';
import { usualPhases } from '../../plan/plan.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import { optionWord, settingOf } from './plan-arguments.ts';
import type { RunOptions } from './run.ts';

/**
 * `plan`: written into the plan, for all its tasks. `run`: for the run of the plan. `both`: also for the planner. `self`: for
 * `--plan` itself. A sentence: it is refused, and this is what to do.
 */
type Meaning = 'plan' | 'run' | 'both' | 'self' | { readonly instead: string };

const noWord = { instead: 'a plan has no word for it. Run the prompt without --plan' };

export const plannedOptions: Readonly<Record<keyof RunOptions, Meaning>> = {
  plan: 'self',
  yes: 'self',
  file: 'self',
  script: 'self',
  detach: 'run',
  verbose: 'run',
  json: 'run',
  stubs: 'run',
  strict: 'run',
  name: 'run',
  base: 'both',
  maxUsd: 'both',
  maxTokens: 'both',
  maxTurns: 'both',
  maxTime: 'both',
  maxAgents: 'both',
  depth: 'both',
  agentsInAll: 'both',
  harness: 'both',
  model: 'both',
  effort: 'both',
  set: 'both',
  env: 'both',
  sandbox: 'both',
  allow: 'both',
  ask: 'both',
  deny: 'both',
  retries: 'both',
  retryHow: 'both',
  timeout: 'both',
  stall: 'both',
  toolStall: 'both',
  mcp: 'plan',
  check: 'plan',
  sendBacks: 'plan',
  conflicts: 'plan',
  onConflict: 'plan',
  into: 'plan',
  checkout: 'plan',
  commits: 'plan',
  coAuthor: 'plan',
  dryRun: {
    instead:
      'a planner has to be paid before there is a plan. Leave out --dry-run and --yes: the plan is made, shown and kept, and ' +
      '"signalbox run <its file> --dry-run" tells what it could cost',
  },
  input: { instead: 'the planner makes a plan without inputs. Say the value in the prompt' },
  writes: { instead: 'the planner says what each task may change. Say in the prompt what is to be left alone' },
  reads: { instead: 'the planner says what each task reads. Say it in the prompt' },
  needs: { instead: 'the planner says what waits for what. Say in the prompt what comes first' },
  needsChain: { instead: 'the planner says what waits for what. Say in the prompt what comes first' },
  apart: { instead: 'the tasks of a plan come together on one branch. Run the prompts themselves, without --plan' },
  attach: { instead: 'say in the prompt what the image shows, or write the plan yourself: a task of it has "attach"' },
  argv: { instead: 'a planner is an agent and no command. Leave out --argv, or run the prompt without --plan' },
  memoryMax: noWord,
  outputMax: noWord,
  processesMax: noWord,
};

/** Refuses options that make no sense here, before anything is started. */
export function refuseOptions(options: RunOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const meaning = plannedOptions[name as keyof RunOptions];
    if (value === undefined || typeof meaning === 'string') continue;
    throw new Fault('bad_request', `${optionWord(name)} is not for --plan: ${meaning.instead}`);
  }
  if (options.checkout === true && options.into === undefined) {
    throw new Fault('bad_request', '--checkout is for a branch: name it with --into <branch>');
  }
}

/**
 * The plan with the person's options, which override the planner's. Only a person decides which branch of the user's moves and
 * which tasks run without a sandbox.
 */
export function withPersonsWords(plan: PlanFile, options: RunOptions): PlanFile {
  const { into, checkout, commits, coAuthor, sandbox } = options;
  const { into: _, checkout: _c, ...landing } = plan.landing ?? {};
  const checks = options.check ?? [];
  const onBranch = {
    ...landing,
    ...(landing.checks === undefined ? {} : { checks: [...landing.checks, ...checks] }),
    ...defined({ into, checkout, commits, 'co-author': coAuthor }),
  };
  const { sandbox: _s, ...defaults } = plan.defaults ?? {};
  const tasks = Object.entries(plan.tasks).map(([name, task]) => {
    const { check: _ch, ...others } = options;
    return [name, taskWith(task, defaults, changesFiles(plan, task) ? options : others)];
  });
  return {
    ...plan,
    defaults: { ...defaults, ...defined({ sandbox }) },
    ...(Object.keys(onBranch).length === 0 ? {} : { landing: onBranch }),
    tasks: Object.fromEntries(tasks) as PlanFile['tasks'],
  };
}

function taskWith({ sandbox: _, ...task }: TaskFile, defaults: CommonFile, options: RunOptions): TaskFile {
  if (task.gate !== undefined) return task;
  const timeout = minutesOf(options.timeout);
  if (task.prompt === undefined) return { ...task, ...defined({ 'timeout-minutes': timeout }) };
  const { harness, model, effort, onConflict, check = [], set = [] } = options;
  const settings = { ...task.settings, ...Object.fromEntries(set.map(settingOf)) };
  const { retries, sendBacks, conflicts, retryHow } = options;
  const retry = {
    ...(task.retry ?? defaults.retry),
    ...defined({ attempts: retries > 0 ? retries + 1 : undefined, how: retryHow }),
    ...defined({ 'send-backs': sendBacks, conflicts }),
  };
  const checks = [...(task.checks ?? defaults.checks ?? []), ...check];
  const permissions = permissionsWith(task.permissions ?? defaults.permissions, options);
  return {
    ...task,
    ...defined({ mcp: options.mcp === undefined ? undefined : [...options.mcp] }),
    ...defined({ harness, model, effort, 'on-conflict': onConflict, 'timeout-minutes': timeout }),
    ...defined({ 'stall-minutes': minutesOf(options.stall), 'tool-stall-minutes': minutesOf(options.toolStall) }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(Object.keys(retry).length === 0 ? {} : { retry }),
    ...(checks.length === 0 ? {} : { checks }),
    ...(permissions === null ? {} : { permissions }),
  };
}

/** A task that only reads has no work to check. */
function changesFiles({ phases }: PlanFile, { writes, phase }: TaskFile): boolean {
  if (Array.isArray(writes) && writes.length === 0) return false;
  const own = phases?.map((each) => (typeof each === 'string' ? { name: each } : each));
  const found = own?.find(({ name }) => name === phase);
  if (own !== undefined) return found === undefined || !('throw-away' in found) || found['throw-away'] !== true;
  return usualPhases.find(({ name }) => name === phase)?.throwAway !== true;
}

type Permissions = NonNullable<CommonFile['permissions']>;

/** A person's rules are added: a deny overrides an allow. */
function permissionsWith(
  planned: Permissions = {},
  { allow = [], ask = [], deny = [] }: RunOptions,
): Permissions | null {
  const all = {
    allow: [...(planned.allow ?? []), ...allow],
    ask: [...(planned.ask ?? []), ...ask],
    deny: [...(planned.deny ?? []), ...deny],
  };
  return Object.values(all).every((rules) => rules.length === 0) ? null : all;
}

function minutesOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds / 60;
}
