// Random work for a simulated run, drawn from the seed: a graph of tasks with conditions, matrices and milestones among them.

import type { GateSpec } from '../../../src/model/asks/gate-spec.ts';
import type { TaskId } from '../../../src/model/core/ids.ts';
import type { Json, JsonObject } from '../../../src/model/core/json.ts';
import type { CheckSpec, RunSpec, TaskKind, TaskSpec } from '../../../src/model/core/spec.ts';
import type { Condition } from '../../../src/model/inputs/condition.ts';
import type { Ref, Text } from '../../../src/model/inputs/reference.ts';
import { plainTask } from '../../plain-task.ts';
import { globPaths } from '../checker/children/written-paths.ts';
import type { Chance } from '../world/scheduler.ts';
import { drawBudget, drawSpending } from './budgets.ts';

export interface SimPlan {
  readonly run: RunSpec;
  readonly tasks: readonly TaskSpec[];
}

export const harnesses: readonly string[] = ['scripted', 'other'];

/** Its agents hand out ids that what is said to them has to carry. */
export const threadedHarness = 'other';

/** Tells a simulated agent which schema its output is held to. */
export const outputVariable = 'SIM_OUTPUT';

/** Tells a simulated agent to make calls of our tools, and whether of those of teams. */
export const childrenVariable = 'SIM_CHILDREN';

/** Tells a simulated agent to write many long messages to the same agent. */
export const chattyVariable = 'SIM_CHATTY';

/** Tells a simulated agent to wait for the first task of its plan. */
export const waitingVariable = 'SIM_WAITING';

/**
 * The same plan with a first task that reads what the others write, is retried, and is waited for by them. Nothing needs another,
 * so no prompt may name another.
 */
export function withContention(chance: Chance, { run, tasks }: SimPlan): SimPlan {
  const contended = tasks.map((each, i): TaskSpec => {
    const work = {
      ...each,
      kind: 'work',
      needs: [],
      tolerates: [],
      when: null,
      items: null,
      gate: null,
      treeBudget: null,
      prompt: `do ${each.name}`,
    } as const;
    if (i === 0) return { ...work, reads: ['README.md'], writes: null, retry: { ...each.retry, attemptsMax: 4 } };
    return {
      ...work,
      reads: [],
      writes: chance.hit(0.7) ? ['*.md'] : null,
      env: { ...each.env, [waitingVariable]: '1' },
    };
  });
  return { run, tasks: contended };
}

/** The same plan with agents that ask for agents; the limits are small, so that each of them is met. */
export function withSpawning(chance: Chance, { run, tasks }: SimPlan, small = false): SimPlan {
  const spawning = {
    depthMax: chance.pick([1, 2, 3, 3, 4, 4]),
    childrenMax: chance.int(1, 4),
    agentsMax: chance.int(2, small ? 5 : 14),
    spawnsPerMinute: chance.int(1, 8),
    messagesPerMinute: chance.int(2, 20),
    mailboxMax: chance.pick([1, 4, 20]),
    mailboxCharsMax: chance.pick([4_000, 200_000]),
    hopsMax: chance.int(1, 4),
    teamsMax: chance.int(1, 2),
    teamItemsMax: chance.int(2, 8),
    teamCharsMax: chance.pick([1_000, 1_000_000]),
    shutdownMs: chance.pick([0, 3_000, 60_000]),
    idleMs: chance.pick([0, 500, 5_000, 10_000]),
  };
  const how = chance.hit(0.5) ? 'teams' : 'alone';
  // Some write so much that more waits for one of them than a turn is given: there is room for that.
  const isChatty = spawning.messagesPerMinute >= 18;
  const env = { [childrenVariable]: how, ...(isChatty ? { [chattyVariable]: '1' } : {}) };
  const limits = isChatty ? { ...spawning, messagesPerMinute: 20, mailboxMax: 20, mailboxCharsMax: 200_000 } : spawning;
  const calling = tasks.map((each) => ({ ...each, env: { ...each.env, ...env } }));
  return { run: { ...run, limits: { ...run.limits, children: limits } }, tasks: calling };
}

export function randomPlan(chance: Chance, index: number, tasksMin: number, tasksMax: number, small = false): SimPlan {
  const count = chance.int(tasksMin, tasksMax);
  // Some runs are nothing but tasks and needs: more of them fit into the time there is.
  const plain = !small && chance.hit(0.3);
  // Of a run without budgets no more is asked than before there were any.
  const spends = chance.hit(0.5);
  // In some, all is ready at once and is to be integrated together.
  const wide = chance.hit(0.15);
  const tasks: TaskSpec[] = [];
  for (let i = 0; i < count; i++) {
    const needs = tasks.filter(() => !wide && chance.hit(Math.min(0.5, 1.2 / count)));
    const base = task(
      chance,
      `task_r${index}t${String(i).padStart(3, '0')}`,
      `t${i}`,
      needs.map(({ id }) => id),
    );
    const planned = plain ? base : { ...base, ...plan(chance, base, needs) };
    tasks.push(spends ? { ...planned, ...drawSpending(chance, planned) } : planned);
  }
  const budget = spends && chance.hit(0.6) ? { budget: drawBudget(chance, Math.ceil(count / 2)) } : {};
  const integrates = chance.hit(0.8);
  const limits = { parallelMax: wide ? 20 : chance.int(1, 8), ...budget };
  return {
    run: {
      id: `run_${String(index).padStart(26, '0')}`,
      name: `run ${index}`,
      repo: { path: '/repo', base: 'base' },
      limits: chance.hit(0.3) ? { ...limits, harnessMax: { other: chance.int(1, 2) } } : limits,
      integrates,
      roles: { resolver: { prompt: resolverPrompt, settings: {} } },
      ...(integrates && chance.hit(0.3) ? { into: 'main' } : {}),
      ...(integrates && chance.hit(0.2) ? { integration: { checks: chance.hit(0.2) ? [] : checksOf(chance) } } : {}),
    },
    tasks,
  };
}

const resolverPrompt = 'bring both together';

function globs(chance: Chance, max: number): string[] {
  return Array.from({ length: chance.int(1, max) }, () => chance.pick(Object.keys(globPaths)));
}

function task(chance: Chance, id: TaskId, name: string, needs: TaskId[]): TaskSpec {
  return {
    ...plainTask,
    id,
    name,
    needs,
    prompt: `do ${name}`,
    writes: chance.hit(0.4) ? globs(chance, 2) : null,
    reads: chance.hit(0.1) ? globs(chance, 1) : [],
    checks: chance.hit(0.4) ? checksOf(chance) : [],
    retry: {
      attemptsMax: chance.int(1, 4),
      conflictsMax: chance.int(0, 2),
      sendBacksMax: chance.int(0, 2),
      delayMs: chance.int(1, 5_000),
      delayMaxMs: 10_000,
      how: chance.hit(0.4) ? 'continue' : 'fresh',
    },
    timeoutMs: chance.int(20_000, 120_000),
    caps: {
      outputBytes: 50_000,
      memoryBytes: 1_000_000,
      processesMax: 10,
      stallMs: chance.int(5_000, 40_000),
      toolStallMs: chance.int(5_000, 60_000),
    },
    priority: chance.int(0, 2),
    onConflict: chance.hit(0.3) ? 'ask' : 'fail',
  };
}

/** One or two. Two of them are the same command. */
function checksOf(chance: Chance): CheckSpec[] {
  const first = chance.int(0, checks.length - 1);
  return checks.slice(first, first + chance.int(1, 2));
}

const checks: readonly CheckSpec[] = [
  { name: 'check', argv: ['true'], timeoutMs: 1_000 },
  { name: 'lint', argv: ['lint', '--all'], timeoutMs: 1_000 },
  { name: 'again', argv: ['true'], timeoutMs: 1_000 },
];

/** What a plan says of a task beyond its work. */
function plan(chance: Chance, { name }: TaskSpec, needs: readonly TaskSpec[]): Partial<TaskSpec> {
  const kind = kindOf(chance, needs);
  const tolerates = needs.filter(() => chance.hit(0.4)).map(({ id }) => id);
  if (kind === 'gate') return { kind, tolerates, gate: gateOf(chance), onFailure: chance.hit(0.06) ? 'stop' : 'skip' };
  const accounts = kind === 'work' && needs.length > 0 && chance.hit(0.15);
  const schema = accounts || !chance.hit(0.5) ? null : chance.pick(schemas);
  const output = accounts ? 'account' : (schema?.['title'] as string | undefined);
  return {
    kind,
    tolerates,
    when: chance.hit(kind === 'milestone' ? 0.5 : 0.25) ? condition(chance, needs, kind) : null,
    onFailure: chance.hit(0.06) ? 'stop' : chance.hit(0.12) ? 'ask' : 'skip',
    items: kind === 'matrix' ? itemsOf(chance, needs) : null,
    keeps: !chance.hit(0.15),
    harness: chance.pick(harnesses),
    accounts,
    output: schema,
    env: output === undefined ? {} : { [outputVariable]: output },
    prompt: promptOf(chance, name, needs),
  };
}

/** Each has a title by which simulated agents and the checker know it; what fits it is said there once more. */
export const schemas: readonly JsonObject[] = [
  { title: 'found', type: 'object', properties: { n: { type: 'integer' }, items: {} }, required: ['n', 'items'] },
  {
    title: 'note',
    type: 'object',
    properties: { text: { type: 'string' }, ok: { type: 'boolean' } },
    required: ['text'],
    additionalProperties: false,
  },
];

function kindOf(chance: Chance, needs: readonly TaskSpec[]): TaskKind {
  if (chance.hit(0.15)) return 'matrix';
  if (chance.hit(0.12)) return 'gate';
  return needs.length > 0 && chance.hit(0.15) ? 'milestone' : 'work';
}

/** Its form has at most one field, so that the checker can say by itself what fits. */
function gateOf(chance: Chance): GateSpec {
  const usual = chance.pick([null, 3]);
  const field = { name: 'n', type: 'number', label: '', options: [], required: true, usual } as const;
  const form = chance.hit(0.5) ? [field] : [];
  return {
    message: 'go on?',
    shows: [],
    form,
    timeoutMs: chance.hit(0.4) ? chance.int(2_000, 60_000) : null,
    onTimeout: chance.hit(0.5) && (form.length === 0 || usual !== null) ? 'approve' : 'reject',
    who: chance.pick([[], ['ann'], ['ann', 'bob']]),
  };
}

function itemsOf(chance: Chance, needs: readonly TaskSpec[]): readonly Json[] | Ref {
  const from = needs.filter(({ output }) => output?.['title'] === 'found');
  if (from.length === 0 || chance.hit(0.2)) return chance.pick(staticItems);
  return { ref: ['tasks', chance.pick(from).name, 'output', 'items'] };
}

const staticItems: readonly (readonly Json[] | Ref)[] = [
  ['a', 'b'],
  ['x'],
  [1, 2, 3],
  ['2', { deep: true }],
  ['3', 'a', null, 'a'],
  [],
  { ref: ['run', 'nothing'] },
];

const results = ['succeeded', 'succeeded', 'failed', 'stopped', 'skipped', 'omitted', 'openTasks'];

function condition(chance: Chance, needs: readonly TaskSpec[], kind: TaskKind, depth = 0): Condition {
  if (depth < 2 && chance.hit(0.3)) {
    const op = chance.pick(['&&', '||'] as const);
    return { op, left: condition(chance, needs, kind, depth + 1), right: condition(chance, needs, kind, depth + 1) };
  }
  if (kind === 'matrix' && chance.hit(0.3)) {
    return { op: chance.pick(['==', '!=']), left: ref('matrix'), right: { op: 'value', value: chance.pick(['a', 2]) } };
  }
  if (needs.length === 0) return { op: 'value', value: chance.pick([true, true, 'yes', false, 0, null, '']) };
  const { name, output } = chance.pick(needs);
  if (output !== null && chance.hit(0.5)) {
    if (output['title'] === 'note') return ref('tasks', name, 'output', 'ok');
    return { op: chance.pick(['==', '!=']), left: ref('tasks', name, 'output', 'n'), right: { op: 'value', value: 1 } };
  }
  const right = { op: 'value', value: chance.pick(results) } as const;
  return { op: chance.hit(0.7) ? '==' : '!=', left: ref('tasks', name, 'result'), right };
}

function ref(...path: string[]): { readonly op: 'ref'; readonly ref: readonly string[] } {
  return { op: 'ref', ref: path };
}

function promptOf(chance: Chance, name: string, needs: readonly TaskSpec[]): Text {
  if (!chance.hit(0.3)) return `do ${name}`;
  const parts: (string | Ref)[] = [`do ${name} for `, { ref: ['matrix'] }, ' in ', { ref: ['run', 'name'] }];
  for (const need of needs) {
    parts.push(' with ', { ref: ['tasks', need.name, chance.pick(['result', 'output'])] });
  }
  return parts;
}
