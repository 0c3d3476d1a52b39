// Compiles a checked plan to the request for the daemon. Phases become milestones.

import type { GateSpec } from '../../model/asks/gate-spec.ts';
import type { Json } from '../../model/core/json.ts';
import { itemsMax } from '../../model/core/spec.ts';
import { type HarnessRules, onlyNames } from '../../model/spending/harness-rules.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import { type ResolvedOptions, resolveOptions } from '../defaults.ts';
import { type InputValues, inputValues } from '../file/plan-inputs.ts';
import { conditionWith, inputAt, jsonWith, textWith } from '../file/substitute.ts';
import { requestOptions } from '../option-names.ts';
import { isRef, keeps, type Plan, type PlanTask } from '../plan.ts';
import type { Roles } from '../role.ts';
import { type GraphNode, graphOf } from '../task-graph.ts';
import { requestPaths } from '../task-paths.ts';
import { compiledChecks } from './compile-checks.ts';
import { type OwnWork, sent, workOf } from './compile-work.ts';
import { serversValue, toolsOf } from './role-specs.ts';

export type CompiledRun = Omit<CreateRunInput, 'id' | 'repo'>;
type TaskInput = CreateRunInput['tasks'][number];

export interface CompileGiven {
  readonly inputs: Readonly<Record<string, string>>;
  readonly roles: Roles;
  /** Left out: no harness is known to give its agents the tools of their roles. */
  readonly harnesses?: HarnessRules;
  /** The agent of tasks that name none; left out: all name one. */
  readonly agent?: UsualAgent;
}

export interface UsualAgent {
  readonly harness: string;
  readonly model: string | undefined;
  readonly effort: string | undefined;
}

/** For a plan without errors (`checkPlan`); throws a Fault if an input has no value. */
export function compilePlan(plan: Plan, given: CompileGiven): CompiledRun {
  const inputs = inputValues(plan, given.inputs);
  const graph = graphOf(plan);
  return {
    name: plan.name,
    ...(plan.limits.maxParallel === null ? {} : { parallelMax: plan.limits.maxParallel }),
    harnessMax: { ...plan.limits.perHarness },
    budget: plan.limits.budget,
    children: plan.limits.agents,
    ...(plan.landing.checks === null ? {} : { integration: { checks: compiledChecks(plan.landing.checks) } }),
    ...(plan.landing.into === null ? {} : { into: plan.landing.into, moveCheckout: plan.landing.checkout }),
    ...(plan.landing.history === null ? {} : { history: plan.landing.history }),
    tasks: [...graph.nodes.values()].map((node) => {
      if (node.task === null) return milestone(node, inputs);
      const { task } = node;
      const { work } = task;
      const options = resolveOptions(plan, task, given.roles);
      if (work.kind === 'gate') return gateOf(node, task, work.gate, { options, inputs });
      const agent = options.harness === null ? given.agent : undefined;
      return taskOf(plan, node, task, { work, inputs, options, agent, harnesses: given.harnesses ?? onlyNames() });
    }),
  };
}

interface Means {
  readonly work: OwnWork;
  readonly inputs: InputValues;
  readonly options: ResolvedOptions;
  /** The agent, if the task names none. */
  readonly agent: UsualAgent | undefined;
  readonly harnesses: HarnessRules;
}

function joints({ name, when, needs, tolerates, phase }: GraphNode, inputs: InputValues) {
  return {
    name,
    needs: [...needs],
    tolerates: [...tolerates],
    when: when === null ? null : conditionWith(inputs, when),
    phase: phase?.name ?? null,
  };
}

function milestone(node: GraphNode, inputs: InputValues): TaskInput {
  // A milestone has no work, but the request requires a prompt.
  return { ...joints(node, inputs), kind: 'milestone', prompt: ' ' };
}

function gateOf(
  node: GraphNode,
  task: PlanTask,
  gate: GateSpec,
  { options, inputs }: Pick<Means, 'options' | 'inputs'>,
): TaskInput {
  const { message, shows, form, who, ...rest } = gate;
  return {
    ...joints(node, inputs),
    kind: 'gate',
    prompt: ' ',
    gate: {
      ...rest,
      message: sent(textWith(inputs, message)),
      shows: [...shows],
      form: form.map((field) => ({ ...field, options: [...field.options] })),
      who: [...who],
    },
    output: task.output === null ? null : { ...task.output },
    onFailure: ownFailure(options),
  };
}

function taskOf(
  plan: Plan,
  node: GraphNode,
  task: PlanTask,
  { work: own, inputs, options, agent, harnesses }: Means,
): TaskInput {
  const { role } = options;
  const harness = options.harness ?? agent?.harness ?? null;
  const model = options.model ?? agent?.model ?? null;
  const effort = options.effort ?? agent?.effort ?? null;
  const mcp = own.kind === 'prompt' ? (options.mcp ?? role?.mcp ?? null) : null;
  const work = workOf(own, inputs, role);
  const env = Object.entries(options.env).map(([name, text]) => [name, sent(textWith(inputs, text))]);
  return {
    ...asSet(task, options),
    ...joints(node, inputs),
    ...matrixOf(task, inputs),
    prompt: sent(work.prompt),
    ...(harness === null ? {} : { harness }),
    settings: {
      ...work.settings,
      ...(model === null ? {} : { model }),
      ...(effort === null ? {} : { effort }),
      ...(mcp === null ? {} : { mcp: serversValue(mcp) }),
      ...(harness !== null && role !== null && harnesses.heedsTools(harness) ? toolsOf(role) : {}),
      ...task.settings,
    },
    env: { ...(Object.fromEntries(env) as Record<string, string>), ...work.env },
    output: task.output === null ? null : { ...task.output },
    ...(task.outputKind === null ? {} : { outputKind: task.outputKind }),
    accounts: node.phase?.accounts ?? false,
    keeps: keeps(plan, task),
    role: options.roleName,
    onFailure: ownFailure(options),
    onCrash: options.onCrash === 'ask' ? 'ask' : 'goOn',
    treeBudget: options.budgetInAll,
    fallback: [...options.fallback],
    caps: capsOf(options),
    ...requestPaths(task, inputs),
    checks: compiledChecks(options.checks ?? []),
    ...retryOf(options),
    timeoutMs: options.timeoutMinutes === null ? null : Math.round(options.timeoutMinutes * 60_000),
  };
}

/** Options that the request takes as they are in the plan. */
function asSet(task: PlanTask, options: ResolvedOptions): Partial<TaskInput> {
  const set: Record<string, unknown> = {};
  for (const name of requestOptions) {
    const value = name in options ? options[name as keyof ResolvedOptions] : task[name as keyof PlanTask];
    if (value !== null) set[name] = value;
  }
  return set;
}

/** `continue` is in the `tolerates` of the tasks that need it; for the task itself it means the same as `skip`. */
function ownFailure({ onFailure }: ResolvedOptions): 'skip' | 'stop' | 'ask' {
  return onFailure === 'continue' ? 'skip' : onFailure;
}

function capsOf({ stallMinutes, toolStallMinutes }: ResolvedOptions): NonNullable<TaskInput['caps']> {
  const msOf = (minutes: number | null): number | undefined =>
    minutes === null ? undefined : Math.round(minutes * 60_000);
  return defined({ stallMs: msOf(stallMinutes), toolStallMs: msOf(toolStallMinutes) });
}

function retryOf({ retry: { attempts, delaySeconds, conflicts, sendBacks, how } }: ResolvedOptions) {
  return {
    ...(attempts === null ? {} : { attemptsMax: attempts }),
    ...(delaySeconds === null ? {} : { retryDelayMs: Math.round(delaySeconds * 1_000) }),
    ...(conflicts === null ? {} : { conflictsMax: conflicts }),
    ...(sendBacks === null ? {} : { sendBacksMax: sendBacks }),
    ...(how === null ? {} : { retryHow: how }),
  };
}

function matrixOf({ name, matrix }: PlanTask, inputs: InputValues): Pick<TaskInput, 'kind' | 'items'> {
  if (matrix === null) return { kind: 'work', items: null };
  if (!isRef(matrix)) return { kind: 'matrix', items: matrix.map((item) => jsonWith(inputs, item)) };
  if (matrix.ref[0] !== 'inputs') return { kind: 'matrix', items: { ref: [...matrix.ref] } };
  const value = inputAt(inputs, matrix.ref);
  if (Array.isArray(value) && value.length > 0 && value.length <= itemsMax)
    return { kind: 'matrix', items: value as Json[] };
  const is = Array.isArray(value) ? `a list of ${value.length}` : 'no list';
  throw new Fault(
    'bad_request',
    `the matrix of "${name}" takes a list of 1 to ${itemsMax} items, and its input is ${is}`,
  );
}
