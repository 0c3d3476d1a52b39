// `spawn_agent`: an agent spawns a child. The child is a task like any other; its budget and paths are carved out of its
// parent's.

import { childSpec, pathOutside } from '../children/child.ts';
import { circleThrough } from '../children/wait-cycle.ts';
import { childLimitsOf } from '../core/child-limits.ts';
import { childId, isLikeId, type TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import { depthOf, findTask, isBelow, isKnownTo } from '../core/task-tree.ts';
import { inLastMinute } from '../core/timing.ts';
import { writersOf } from '../ready/interlock.ts';
import { dimensions } from '../spending/budget.ts';
import { partWords } from '../spending/budget-words.ts';
import { amountLeft } from '../spending/child-budget.ts';
import { findTeam } from '../teams/membership.ts';
import type { SpawnRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse, refuseBy } from './call-answer.ts';
import { leansOn, ownFilesIn } from './prompt-leaning.ts';

export function spawnAgent(scene: CallScene, request: SpawnRequest): Answered {
  const { run, task } = scene;
  const inputs = inputsOf(scene, request);
  if (typeof inputs === 'string') return refuse(inputs);
  const n = task.children.ids.length + 1;
  const name = request.name ?? freeName(run, task.spec.name, n);
  const flaw = flawOf(scene, request, name);
  if (flaw !== null) return refuse(flaw);
  const over = overLimit(scene);
  if (over !== null) return over;
  const id = childId(task.spec.id, n);
  const context = request.role === null ? undefined : scene.run.spec?.roles?.[request.role]?.context;
  const spec = childSpec(task.spec, request, { id, name, inputs, context });
  const circle = circleBy(run, task, spec);
  if (circle !== null) return refuse(circle);
  return answer(
    `Agent "${name}" is on its way (${id}). You are told when it has ended; "wait" ends your turn until then, and so does ` +
      'ending your turn. read_output reads what it gave.',
    { type: 'task.added', task: spec },
    ...(request.team === null ? [] : [{ type: 'team.joined', team: request.team, taskId: id } as const]),
  );
}

/** A task that holds the child's paths may itself wait for the parent: then neither would ever end. */
function circleBy(run: Run, task: Task, spec: TaskSpec): string | null {
  for (const { task: holder, path } of writersOf(run, { ...task, spec })) {
    const circle = circleThrough(run, task, holder);
    if (circle !== null)
      return `"${path}" is held by "${holder.spec.name}", which cannot end before you: ${circle.join(' → ')}`;
  }
  return null;
}

/** An agent with such a name could be mistaken for the sender of other messages. */
const reserved: ReadonlySet<string> = new Set(['parent', 'person', 'signalbox']);

function flawOf({ run, task, attempt, now }: CallScene, request: SpawnRequest, name: string): string | null {
  if (reserved.has(name.toLowerCase())) return `"${name}" means somebody else in messages: choose another name`;
  if (isLikeId(request.name ?? '')) return `"${name}" looks like an id, which means somebody else: choose another name`;
  if (run.graph.taskByName.has(name)) return `there is a task "${name}" in this run already: choose another name`;
  const { prompt } = request;
  const unseen = task.spec.sandbox === 'workspace' ? ownFilesIn(prompt) : [];
  const lean = leansOn(prompt, [...new Set([attempt.workspace.path, ...unseen])]);
  if (lean.length > 0) {
    return `the prompt leans on what the agent will not have. It starts with the prompt and its inputs alone.\n- ${lean.join('\n- ')}`;
  }
  const outside = pathOutside(task.spec, request.writes);
  if (outside !== null) {
    return `"${outside}" is not inside what you may change yourself: ${task.spec.writes?.join(', ') || 'nothing'}`;
  }
  return (request.team === null ? null : teamFlaw(run, task, request.team)) ?? budgetFlaw({ run, task, now }, request);
}

function teamFlaw(run: Run, task: Task, name: string): string | null {
  const team = findTeam(run, name);
  if (typeof team === 'string') return team;
  const lead = taskOf(run, team.lead);
  if (lead !== task && !isBelow(run, task, lead)) {
    return `team "${name}" is led by "${lead.spec.name}": only that one and agents below it add to it`;
  }
  return team.forced ? `team "${name}" is being ended` : null;
}

/** The child's budget must fit into what the parent has left: a parent's budget covers all its descendants. */
function budgetFlaw(
  { run, task, now }: Pick<CallScene, 'run' | 'task' | 'now'>,
  { budget }: SpawnRequest,
): string | null {
  if (budget === null) return null;
  for (const what of dimensions) {
    const wanted = budget[what];
    const left = wanted === undefined ? null : amountLeft(run, task, what, now);
    if (wanted !== undefined && left !== null && wanted > left) {
      return `you have ${partWords(what, left, wanted)} left to give it; what others have of you is free when they end`;
    }
  }
  return null;
}

function overLimit(scene: CallScene): Answered | null {
  const { run, task, agent, now } = scene;
  const { depthMax, childrenMax, agentsMax, spawnsPerMinute } = childLimitsOf(run);
  if (depthOf(run, task) >= depthMax) {
    return refuseBy(scene, 'depthMax', `agents stand ${depthMax} deep here; do it yourself`);
  }
  if (task.children.open >= childrenMax) {
    return refuseBy(scene, 'childrenMax', `${task.children.open} agents are at work for you; wait for one`);
  }
  if (run.children.agentsAsked >= agentsMax) {
    return refuseBy(scene, 'agentsMax', 'agents have spawned as many agents as this run allows; do it yourself');
  }
  const { length: asked } = inLastMinute(agent.spawnedAt, now);
  if (asked >= spawnsPerMinute) {
    return refuseBy(scene, 'spawnsPerMinute', `you spawned ${asked} agents in the last minute; wait for some of them`);
  }
  return null;
}

/** The tasks whose results the child gets; a text says what is wrong with them. */
function inputsOf({ run, task }: CallScene, { inputs }: SpawnRequest): readonly TaskId[] | string {
  const ids = new Set<TaskId>();
  for (const word of inputs) {
    const found = findTask(run, word);
    if (typeof found === 'string') return `inputs: ${found}`;
    if (found === task) return 'inputs: your own task has not ended: write out what it is to know';
    if (!isKnownTo(run, task, found)) return `inputs: "${found.spec.name}" is none of yours`;
    if (found.outcome !== null && found.outcome.kind !== 'succeeded') {
      return `inputs: "${found.spec.name}" has ended (${found.outcome.kind}) and gives nothing: write out what it is to know`;
    }
    ids.add(found.spec.id);
  }
  return [...ids];
}

function freeName(run: Run, parent: string, n: number): string {
  const base = `${parent.slice(0, nameMax - 8)}.${n}`;
  let name = base;
  for (let i = 2; run.graph.taskByName.has(name); i++) name = `${base}-${i}`;
  return name;
}

const nameMax = 64;
