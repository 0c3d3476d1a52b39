// `signalbox run <file.plan.yaml>`: the plan is validated whole before the request; an invalid plan starts nothing.

import { dirname, resolve } from 'node:path';
import type { Configuration } from '../../configuration/configuration.ts';
import { planWith } from '../../configuration/plan-with.ts';
import { type CompiledRun, compilePlan, type UsualAgent } from '../../plan/compile/compile-plan.ts';
import { hasErrors } from '../../plan/file/problem.ts';
import type { Plan } from '../../plan/plan.ts';
import { stubProblems, withStubs } from '../../plan/preview/stubs.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import { shownJson } from '../../std/plain-text.ts';
import { clientIds } from '../../wire/id-pattern.ts';
import { runView } from '../../wire/views.ts';
import { type Context, exits } from '../client/context.ts';
import { here } from '../client/current-directory.ts';
import { landingTarget } from '../client/landing-target.ts';
import { checkoutTop } from '../client/user-git.ts';
import { budgetOption } from '../options/budget-option.ts';
import { childrenOption } from '../options/children-option.ts';
import { type ChosenAgent, chooseAgent } from './choose-agent.ts';
import { configurationHere } from './configuration-here.ts';
import { isConfirmed } from './confirm-cost.ts';
import { followRun, howToFollow } from './follow-run.ts';
import { loadPlan, tellProblems } from './load-plan.ts';
import { passedVariables } from './passed-variables.ts';
import { inputsOf, isPlanFile, optionWord } from './plan-arguments.ts';
import { readImages, refuseTooMuch } from './read-images.ts';
import { rolesToSend } from './roles-to-send.ts';
import type { RunOptions } from './run.ts';
import { runWarnings } from './run-warnings.ts';
import { toolsToSend } from './tools-to-send.ts';

/** All other options of a run belong into its plan. */
const fitting: readonly string[] = [
  'input',
  'dryRun',
  'stubs',
  'strict',
  'name',
  'base',
  'into',
  'checkout',
  'commits',
  'coAuthor',
  'sandbox',
  'env',
  'detach',
  'json',
  'retries',
  'yes',
  'maxUsd',
  'maxTokens',
  'maxTurns',
  'maxTime',
  'maxAgents',
  'depth',
  'agentsInAll',
];

export interface PlanRunMeans {
  /** The agent of tasks that name none; left out: it is chosen and announced. */
  readonly agent?: ChosenAgent;
  /** Gets the id of the run once it exists. */
  onCreated?(runId: string): void;
}

export async function runPlan(
  context: Context,
  words: readonly string[],
  options: RunOptions,
  { agent: chosen, onCreated = () => {} }: PlanRunMeans = {},
): Promise<number> {
  const [file = '', another] = words;
  const foreign =
    Object.keys(options).find((name) => !fitting.includes(name)) ?? (options.retries > 0 ? 'retries' : null);
  if (foreign !== null)
    throw new Fault('bad_request', `${optionWord(foreign)} is not for plan files: say it in the plan`);
  if (another !== undefined || !isPlanFile(file))
    throw new Fault('bad_request', 'a plan file is run by itself: name nothing else');
  const inputs = inputsOf(options.input);
  const top = await checkoutTop(context.place, here());
  const configuration = await configurationHere(context, top);
  const {
    plan: own,
    problems,
    roles,
  } = await loadPlan(context, file, {
    inputs,
    complete: true,
    strict: options.strict === true,
    isLimited: options.maxUsd !== undefined,
  });
  const plan = own === null ? null : planWith(own, configuration.values);
  const stubbed = plan !== null && options.stubs === true ? stubProblems(plan) : [];
  tellProblems(context, [...problems, ...stubbed]);
  if (plan === null || hasErrors(stubbed)) return exits.usage;
  const isPreview = options.dryRun === true || options.stubs === true;
  const agent = !lacksAgent(plan)
    ? undefined
    : isPreview
      ? configuredAgent(configuration)
      : (chosen ?? (await tellAgent(context, configuration, top)));
  const harnesses = await context.lent.harnesses();
  const whole = compilePlan(plan, { inputs, roles, harnesses, ...defined({ agent }) });
  const compiled = {
    ...whole,
    budget: budgetOption(options, whole.budget),
    children: childrenOption(options, whole.children),
    models: configuration.values.models ?? {},
    setup: configuration.values.setup ?? null,
    variables: isPreview ? {} : passedVariables(context, options.env, configuration),
  };
  if (options.dryRun === true)
    return (await import('./dry-run.ts')).dryRun(context, { plan, compiled, inputs }, options.json === true);
  // A stub costs nothing.
  if (options.stubs === true) return start(context, { ...withStubs(compiled, plan), roles: {} }, options, onCreated);
  if (options.yes !== true && !(await isConfirmed(context, { plan, compiled, inputs }))) return exits.ok;
  const given = await rolesToSend(context, compiled, roles);
  const tools = await toolsToSend(context, top, configuration, compiled.tasks);
  const tasks = await withImages(compiled.tasks, plan, dirname(resolve(here(), file)));
  return start(context, { ...compiled, tasks, roles: given, ...tools }, options, onCreated);
}

/** The files that tasks attach are read last: whatever else is wrong with the plan is told first. */
async function withImages(tasks: CompiledRun['tasks'], plan: Plan, folder: string): Promise<CompiledRun['tasks']> {
  const named = new Map(plan.tasks.map(({ name, attach }) => [name, attach === null ? [] : [attach].flat()]));
  const all = tasks.map(async (task) => {
    const files = named.get(task.name) ?? [];
    return files.length === 0 ? task : { ...task, images: await readImages(files, folder) };
  });
  const read = await Promise.all(all);
  refuseTooMuch(read);
  return read;
}

/** Whether a task with a prompt names no agent, nor do the defaults. */
function lacksAgent({ tasks, defaults }: Plan): boolean {
  return defaults.harness === null && tasks.some(({ work, harness }) => work.kind === 'prompt' && harness === null);
}

/** A preview looks for no agent: it shows what is configured. */
function configuredAgent({ values: { harness, model, effort } }: Configuration): UsualAgent | undefined {
  return harness === undefined ? undefined : { harness, model, effort };
}

async function tellAgent(context: Context, configuration: Configuration, top: string | null): Promise<ChosenAgent> {
  const agent = await chooseAgent(context, {}, configuration, top);
  context.terminal.note(agent.words);
  return agent;
}

async function start(
  context: Context,
  compiled: CompiledRun,
  options: RunOptions,
  onCreated: (runId: string) => void,
): Promise<number> {
  const { client, terminal } = context;
  for (const line of await runWarnings(context, options)) terminal.note(line);
  const { sandbox } = options;
  const tasks = sandbox === undefined ? compiled.tasks : compiled.tasks.map((task) => ({ ...task, sandbox }));
  const repo = { path: here(), base: options.base ?? null };
  const request = {
    ...compiled,
    ...landingTarget(options, compiled),
    tasks,
    id: clientIds.run(),
    name: options.name ?? compiled.name,
    repo,
  };
  const created = await client.post('/runs', request, runView);
  onCreated(created.id);
  if (options.detach !== true) return followRun(context, created, options);
  await terminal.print(options.json === true ? `${shownJson(created)}\n` : `${created.id}\n${howToFollow(created)}`);
  return exits.ok;
}
