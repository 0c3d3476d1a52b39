// `resume` and `retry`: reopens everything in a run that did not succeed, or one task and what was skipped because of it.

import { openAskAbout, openAsks } from '../asks/find-asks.ts';
import { isAtWork } from '../attempt/stopping.ts';
import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { askerOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';
import type { LandingAsk } from '../land/landing.ts';
import { askLanding, landingLeft } from '../land/landing-due.ts';
import { canBeMet, countedOf, whoGoesOnWithout, withCounted } from './reopened-dependants.ts';
import { reopen } from './resumed-children.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideResumeRun(run: Run, command: Of<'resumeRun'>): Decision {
  if (run.state !== 'ended') return refused('notAllowed', `the run has not ended: ${holders(run)}`);
  const left = undelivered(run);
  if (left !== null) return decided([{ type: 'run.resumed', by: command.by }, askLanding(run, left, command.by)]);
  if (run.outcome === 'succeeded') return refused('notAllowed', 'every task of the run has succeeded');
  return decided([{ type: 'run.resumed', by: command.by }, ...reopen(run, undone(run))]);
}

/**
 * All tasks that did not succeed, with the matrices and milestones that counted them, in the order of adding: needs come first.
 */
function undone(run: Run): readonly Task[] {
  // Children come back with their parent, or their parent can spawn them again.
  const all = [...run.tasks.values()].filter((task) => isUndone(task) && askerOf(run, task) === null);
  return withCounted(run, all).sort((a, b) => a.order - b.order);
}

/** The landing to repeat, if every task has succeeded but the work did not land. */
function undelivered(run: Run): LandingAsk | null {
  const own = [...run.tasks.values()].filter((task) => askerOf(run, task) === null);
  const undone = own.some((task) => isUndone(task) && task.outcome?.kind !== 'omitted');
  return undone ? null : landingLeft(run);
}

/** The running and waiting tasks of a run, to be named in a refusal. */
function holders(run: Run): string {
  const working = Array.from(
    run.live.values(),
    ({ id, taskId }) => `${id} works on "${taskOf(run, taskId).spec.name}"`,
  );
  const asked = openAsks(run).flatMap((ask) =>
    'choices' in ask ? [`"${taskOf(run, ask.taskId).spec.name}" waits for a person`] : [],
  );
  const waiting = Array.from(run.tasks.values()).filter(({ state }) => state !== 'ended' && state !== 'active');
  if (run.state === 'landing') return `its work goes into ${run.landing?.into ?? 'a branch of its own'}`;
  const all = [...working, ...asked, ...waiting.map(({ spec, state }) => `"${spec.name}" is ${state}`)];
  const more = all.length > holdersShown ? ` and ${all.length - holdersShown} more` : '';
  return all.slice(0, holdersShown).join(', ') + more;
}

const holdersShown = 3;

export function decideRetryTask(run: Run, command: Of<'retryTask'>): Decision {
  const task = run.tasks.get(command.taskId);
  if (task === undefined) return refused('unknown', `no task ${command.taskId} in this run`);
  const { name } = task.spec;
  if (task.state !== 'ended') {
    const question = openAskAbout(run, task);
    const asked = question === null ? '' : `: a person is asked what becomes of it (${question.id})`;
    return refused('notAllowed', `task "${name}" has not ended${asked}`);
  }
  if (task.outcome?.kind === 'succeeded') return refused('notAllowed', `task "${name}" has succeeded`);
  if (run.state === 'stopping') return refused('notAllowed', 'the run is being stopped');
  if (run.state === 'landing') return refused('notAllowed', `the run has not ended: ${holders(run)}`);
  const asker = askerOf(run, task);
  if (asker !== null && !isAtWork(run, asker)) {
    return refused('notAllowed', `"${asker.spec.name}" is its parent and no longer at work: retry that`);
  }
  if (task.spec.kind === 'milestone') return refused('notAllowed', `nobody works on "${name}": retry what it needs`);
  const missing = task.spec.needs.map((id) => taskOf(run, id)).find((need) => !isMet(task, need));
  if (missing !== undefined) {
    return refused('notAllowed', `task "${name}" needs "${missing.spec.name}", which did not succeed: retry that one`);
  }
  const again = withConsequences(run, task);
  const user = whoGoesOnWithout(run, again);
  if (user !== null) {
    return refused('notAllowed', `task "${user.spec.name}" goes on with how "${name}" ended: stop it first, or wait`);
  }
  const events: RunEventBody[] = run.state === 'ended' ? [{ type: 'run.resumed', by: command.by }] : [];
  return decided([...events, ...reopen(run, again, new Set(again))]);
}

/**
 * The task and everything that ended only because of it: the tasks of a matrix, what counted it, and all that was skipped or
 * omitted and can be met again. What also needs another failed task stays as it is.
 */
function withConsequences(run: Run, task: Task): readonly Task[] {
  const all = new Set([task]);
  for (const id of task.graph.members) {
    const member = taskOf(run, id);
    if (isUndone(member)) all.add(member);
  }
  // A set is iterated in the order of adding, including what is added meanwhile.
  for (const each of all) {
    const counted = countedOf(run, each);
    for (const dependant of [...counted, ...each.graph.dependants.map((id) => taskOf(run, id)).filter(isLeftOut)]) {
      const asker = askerOf(run, dependant);
      if (asker !== null && !isAtWork(run, asker)) continue;
      if (canBeMet(run, dependant, all)) all.add(dependant);
    }
  }
  return [...all];
}

function isUndone({ state, outcome }: Task): boolean {
  return state === 'ended' && outcome?.kind !== 'succeeded';
}

function isLeftOut({ outcome }: Task): boolean {
  return outcome?.kind === 'skipped' || outcome?.kind === 'omitted';
}
