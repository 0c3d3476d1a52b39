// `signalbox run`: one run of the prompts given, followed to its end. Ctrl-C leaves the run alone.

import { checkNames } from '../../plan/check/check-names.ts';
import { Fault } from '../../std/fault.ts';
import { plainLine } from '../../std/plain-text.ts';
import { clientIds } from '../../wire/id-pattern.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import { createdView } from '../../wire/views.ts';
import { exits, type Verb } from '../client/context.ts';
import { here } from '../client/current-directory.ts';
import { landingTarget } from '../client/landing-target.ts';
import { type BudgetOptions, budgetOption } from '../options/budget-option.ts';
import { type ChildrenOptions, childrenOption } from '../options/children-option.ts';
import { uniqueNames } from '../text/task-names.ts';
import { followRun, howToFollow } from './follow-run.ts';
import { isPlanFile, optionWord, settingOf } from './plan-arguments.ts';
import { readPrompts } from './prompt-files.ts';
import { readScripts } from './read-scripts.ts';
import { runWarnings } from './run-warnings.ts';

export interface RunOptions extends BudgetOptions, ChildrenOptions {
  readonly file?: readonly string[];
  readonly script?: readonly string[];
  readonly check?: readonly string[];
  readonly retries: number;
  readonly retryHow?: 'fresh' | 'continue' | 'auto';
  readonly sendBacks?: number;
  readonly conflicts?: number;
  readonly onConflict?: 'ask' | 'fail';
  readonly timeout?: number;
  readonly outputMax?: number;
  readonly memoryMax?: number;
  readonly processesMax?: number;
  readonly stall?: number;
  readonly toolStall?: number;
  readonly harness?: string;
  readonly sandbox?: 'workspace' | 'none';
  readonly model?: string;
  readonly effort?: string;
  readonly set?: readonly string[];
  readonly argv?: string;
  readonly writes?: readonly string[];
  readonly reads?: readonly string[];
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly name?: string;
  readonly base?: string;
  readonly into?: string;
  readonly checkout?: boolean;
  readonly needsChain?: boolean;
  readonly needs?: readonly string[];
  readonly apart?: boolean;
  readonly detach?: boolean;
  readonly json?: boolean;
  readonly input?: readonly string[];
  readonly dryRun?: boolean;
  readonly stubs?: boolean;
  readonly strict?: boolean;
  readonly plan?: boolean;
  readonly yes?: boolean;
}

export const run: Verb<RunOptions> = async (context, words, options) => {
  const { client, terminal } = context;
  if (words.some(isPlanFile)) return (await import('./run-plan.ts')).runPlan(context, words, options);
  if (options.plan === true) return (await import('./run-planner.ts')).planFirst(context, words, options);
  const ofPlans = (['input', 'dryRun', 'stubs', 'strict'] as const).find((name) => options[name] !== undefined);
  if (ofPlans !== undefined) throw new Fault('bad_request', `${optionWord(ofPlans)} is for plan files: name one`);
  const prompts = [...words, ...(await readPrompts(options.file ?? []))];
  if (prompts.length === 0) throw new Fault('bad_request', 'a run needs a prompt: signalbox run "what to do"');
  for (const line of await runWarnings(context, options)) terminal.note(line);
  const request = await requestOf(prompts, options);
  const roles = await (await import('./roles-to-send.ts')).rolesToSend(context, request);
  const created = await client.post('/runs', { ...request, roles }, createdView);
  for (const note of created.notes) terminal.note(plainLine(note));
  if (options.detach === true) {
    if (options.json === true) await terminal.print(`${JSON.stringify(created)}\n`);
    else await terminal.print(`${created.id}\n${howToFollow(created)}`);
    return exits.ok;
  }
  return followRun(context, created, options.json === true);
};

async function requestOf(prompts: readonly string[], options: RunOptions): Promise<CreateRunInput> {
  const names = uniqueNames(prompts);
  const scripts = await readScripts(options.script ?? [], prompts.length);
  const named = checkNames(options.check ?? []);
  const checks = (options.check ?? []).map((run, i) => ({ name: named[i] as string, argv: ['sh', '-c', run] }));
  const needs = needsOf(options, names);
  const tasks = prompts.map((prompt, i) => ({
    name: names[i] as string,
    prompt,
    needs: needs[i] ?? [],
    settings: settingsOf(options, scripts[i]),
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
    harness: options.harness,
    writes: options.writes === undefined ? null : [...options.writes],
    reads: [...(options.reads ?? [])],
    permissions: { allow: [...(options.allow ?? [])], ask: [...(options.ask ?? [])], deny: [...(options.deny ?? [])] },
    sandbox: options.sandbox,
  }));
  const repo = { path: here(), base: options.base ?? null };
  // Different ways to the same end would only conflict with each other.
  const integrates = options.apart !== true;
  const together = options.into !== undefined ? '--into' : needs.some((names) => names.length > 0) ? '--needs' : null;
  if (!integrates && together !== null) {
    throw new Fault(
      'bad_request',
      `--apart keeps the work of each prompt by itself, ${together} brings it together: leave one out`,
    );
  }
  const budget = budgetOption(options);
  const name = options.name ?? (names[0] as string);
  const children = childrenOption(options);
  return { id: clientIds.run(), name, repo, integrates, ...landingTarget(options), budget, children, tasks };
}

function settingsOf({ model, effort, argv, set = [] }: RunOptions, script: string | undefined): Record<string, string> {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['script', script],
    ['model', model],
    ['effort', effort],
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
