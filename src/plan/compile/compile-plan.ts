// From a plan that was checked to what the daemon is asked for. Phases become milestones, words become settings.

import type { GateSpec } from '../../model/asks/question.ts';
import type { Json } from '../../model/core/json.ts';
import { itemsMax } from '../../model/core/spec.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import { checkNames } from '../check/check-names.ts';
import { type InputValues, inputValues } from '../file/plan-inputs.ts';
import { conditionWith, inputAt, jsonWith, textWith } from '../file/substitute.ts';
import { isRef, keeps, type Plan, type PlanCheck, type PlanTask, withDefaults } from '../plan.ts';
import type { Roles } from '../role.ts';
import { type GraphNode, graphOf } from '../task-graph.ts';
import { type OwnWork, sent, workOf } from './compile-work.ts';
import { contextWords } from './context-default.ts';
import { quotaWords } from './quota-default.ts';
import { toolsOf } from './role-specs.ts';

export type CompiledRun = Omit<CreateRunInput, 'id' | 'repo'>;
type TaskInput = CreateRunInput['tasks'][number];

export interface CompileGiven {
  readonly inputs: Readonly<Record<string, string>>;
  readonly roles: Roles;
}

/** Of a plan in which `checkPlan` finds no error; a Fault where an input has no value. */
export function compilePlan(plan: Plan, given: CompileGiven): CompiledRun {
  const inputs = inputValues(plan, given.inputs);
  const graph = graphOf(plan);
  return {
    name: plan.name,
    ...(plan.limits.maxParallel === null ? {} : { parallelMax: plan.limits.maxParallel }),
    harnessMax: { ...plan.limits.perHarness },
    budget: plan.limits.budget,
    children: plan.limits.agents,
    ...(plan.landing.checks === null ? {} : { integration: { checks: checksOf(plan.landing.checks) } }),
    ...(plan.landing.into === null ? {} : { into: plan.landing.into, moveCheckout: plan.landing.checkout }),
    tasks: [...graph.nodes.values()].map((node) => {
      if (node.task === null) return milestone(node, inputs);
      const task = withDefaults(plan, node.task);
      const { work } = task;
      if (work.kind === 'gate') return gateOf(node, task, work.gate, inputs);
      return taskOf(plan, node, task, { work, inputs, roles: given.roles });
    }),
  };
}

interface Means {
  readonly work: OwnWork;
  readonly inputs: InputValues;
  readonly roles: Roles;
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
  // Nobody is asked anything.
  return { ...joints(node, inputs), kind: 'milestone', prompt: ' ' };
}

function gateOf(node: GraphNode, task: PlanTask, gate: GateSpec, inputs: InputValues): TaskInput {
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
    onFailure: onFailureOf(task),
  };
}

function taskOf(plan: Plan, node: GraphNode, task: PlanTask, { work: own, inputs, roles }: Means): TaskInput {
  const role = task.role === null ? null : (roles.get(task.role) ?? null);
  const work = workOf(own, inputs, role);
  const usualModel = task.harness === 'command' ? null : (role?.model ?? plan.defaults.model);
  const model = task.model ?? usualModel;
  const quota = quotaWords(plan, task, role);
  const env = Object.entries(task.env).map(([name, text]) => [name, sent(textWith(inputs, text))]);
  return {
    ...joints(node, inputs),
    ...matrixOf(task, inputs),
    prompt: sent(work.prompt),
    ...(task.harness === null ? {} : { harness: task.harness }),
    settings: {
      ...work.settings,
      ...(model === null ? {} : { model }),
      ...(task.effort === null ? {} : { effort: task.effort }),
      ...(task.harness === 'claude' && role !== null ? toolsOf(role) : {}),
      ...task.settings,
    },
    env: { ...(Object.fromEntries(env) as Record<string, string>), ...work.env },
    setup: task.setup,
    output: task.output === null ? null : { ...task.output },
    ...(task.outputKind === null ? {} : { outputKind: task.outputKind }),
    accounts: node.phase?.accounts ?? false,
    keeps: keeps(plan, task),
    role: task.role,
    onFailure: onFailureOf(task),
    onCrash: task.onCrash === 'ask' ? 'ask' : 'goOn',
    ...(task.onConflict === null ? {} : { onConflict: task.onConflict }),
    budget: task.budget,
    treeBudget: task.budgetInAll,
    ...contextWords(plan, task, role),
    onQuota: quota.onQuota,
    fallback: [...quota.fallback],
    caps: capsOf(task),
    writes: task.writes === null ? null : [...task.writes],
    reads: [...task.reads],
    checks: checksOf(task.checks ?? []),
    ...retryOf(task),
    timeoutMs: task.timeoutMinutes === null ? null : Math.round(task.timeoutMinutes * 60_000),
    ...(task.permissions === null ? {} : { permissions: task.permissions }),
    ...(task.sandbox === null ? {} : { sandbox: task.sandbox }),
    priority: task.priority,
  };
}

/** What may go on after it tolerates it; the task itself fails as any other. */
function onFailureOf({ onFailure }: PlanTask): 'skip' | 'stop' | 'ask' {
  return onFailure === 'continue' ? 'skip' : onFailure;
}

function capsOf({ stallMinutes, toolStallMinutes }: PlanTask): NonNullable<TaskInput['caps']> {
  const msOf = (minutes: number | null): number | undefined =>
    minutes === null ? undefined : Math.round(minutes * 60_000);
  return defined({ stallMs: msOf(stallMinutes), toolStallMs: msOf(toolStallMinutes) });
}

function retryOf({ retry: { attempts, delaySeconds, conflicts, sendBacks, how } }: PlanTask) {
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

function checksOf(checks: readonly PlanCheck[]): NonNullable<TaskInput['checks']> {
  const names = checkNames(checks.map(({ name, run }) => name ?? [run].flat().join(' ')));
  return checks.map(({ run, timeoutMinutes, retries }, i) => ({
    name: names[i] as string,
    argv: typeof run === 'string' ? ['sh', '-c', run] : [...run],
    ...(timeoutMinutes === null ? {} : { timeoutMs: Math.round(timeoutMinutes * 60_000) }),
    ...(retries === null ? {} : { retries }),
  }));
}
