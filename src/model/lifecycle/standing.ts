// Idle members of teams, and when they can get no more work: their lead has ended its turn, and everything that the lead waits
// for rests as well. Then the members end.

import { openAskAbout, openRequests } from '../asks/find-asks.ts';
import { askStop, liveAttempt } from '../attempt/stopping.ts';
import { correct, outputProblems } from '../attempt/typed-output.ts';
import { workVerdict } from '../attempt/verdict.ts';
import { hasNews } from '../children/awaited.ts';
import { blockerOf } from '../children/blocking.ts';
import { errandOf, isResting } from '../children/resting.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isMet } from '../inputs/needs.ts';
import { isInput } from '../messages/record-queue.ts';
import { isLed, openMembers, standsIn } from '../teams/membership.ts';
import { memberOf, type Team } from '../teams/team.ts';

/** Its turn has ended well, no record or message waits for it, and it waits for neither a budget nor a service. */
export function isQuiet(run: Run, attempt: Attempt): boolean {
  const {
    turn: { ended: turn },
    parking: { parked, brake },
    state,
    stop,
    agentId,
    taskId,
    waits,
  } = attempt;
  if (turn?.kind !== 'ok' || agentOf(run, agentId).mailbox.records.some(isInput) || hasNews(taskOf(run, taskId), waits))
    return false;
  if (parked !== null) return state === 'resting' && parked.why.kind === 'waits';
  return state === 'running' && (stop === null || (stop.reason === 'parked' && brake?.kind === 'waits'));
}

/** The attempt of a member that rests and waits for nothing that it has started itself. */
function idleAttempt(run: Run, task: Task): Attempt | null {
  const attempt = liveAttempt(run, task);
  return attempt !== null && isQuiet(run, attempt) && errandOf(run, attempt) === null ? attempt : null;
}

/** Whether it rests only because it is a member of a team. */
export function isIdle(run: Run, task: Task): boolean {
  return standsIn(run, task) !== null && idleAttempt(run, task) !== null;
}

/** What a member is doing, in a word or two. */
export function doing(run: Run, task: Task): string {
  if (task.state === 'ended') return task.outcome?.kind ?? 'ended';
  if (task.state !== 'active') return task.state;
  if (isIdle(run, task)) return 'rests';
  const asks =
    openAskAbout(run, task) !== null || (task.attempt !== null && openRequests(run, task.attempt).length > 0);
  if (asks) return 'waits for a person';
  return isWaiting(run, task) ? 'waits' : 'at work';
}

/** It is parked, or rests with a process until others have done something. */
function isWaiting(run: Run, { attempt }: Task): boolean {
  return attempt !== null && (attempt.parking.parked !== null || isResting(run, attempt));
}

/**
 * Dismisses members that can get no more work. Called when no agent can be sent anything: then only they themselves, the agents
 * they wait for, time or a person could change anything.
 */
export function decideDismissal(run: Run): RunEventBody[] {
  for (const team of run.teams.values()) {
    if (!isLed(run, team)) continue;
    const idle = openMembers(run, team).filter((task) => isIdle(run, task));
    if (idle.length === 0 || !isStuck(run, taskOf(run, team.lead))) continue;
    return [{ type: 'team.dismissed', team: team.name, members: idle.map(({ spec }) => spec.id) }];
  }
  return [];
}

/** Whether neither the task nor anything that it waits for can continue by itself. */
function isStuck(run: Run, task: Task): boolean {
  const all = new Set([task]);
  // The set grows while it is walked.
  for (const each of all) {
    const awaited = awaitedBy(run, each);
    if (awaited === null) return false;
    for (const next of awaited) all.add(next);
  }
  return true;
}

/** Tasks that this one waits for; null = it continues by itself, or time or a person moves it. */
function awaitedBy(run: Run, task: Task): Task[] | null {
  const { state, spec, children, graph } = task;
  if (state === 'ended') return [];
  if (state === 'ready') {
    const blocker = blockerOf(run, task);
    return blocker === null ? null : [blocker];
  }
  if (state === 'blocked') {
    const unmet = spec.needs.map((id) => taskOf(run, id)).filter((need) => !isMet(task, need));
    return unmet.length === 0 ? null : unmet;
  }
  if (graph.members.length > 0) return graph.members.map((id) => taskOf(run, id));
  const attempt = liveAttempt(run, task);
  if (attempt === null || !isQuiet(run, attempt) || openAskAbout(run, task) !== null) return null;
  const { waits } = attempt;
  if (waits !== null && (waits.askId !== null || waits.until !== null)) return null;
  const team = standsIn(run, task);
  return [...children.ids, ...(waits?.tasks ?? []), ...(team === null ? [] : [team.lead])].map((id) => taskOf(run, id));
}

/** Leaving members that rest end with their evidence, as if their turn had ended just now. */
export function decideLeaving(run: Run): RunEventBody[] {
  return [...run.teams.values()].flatMap((team) => {
    return openMembers(run, team).flatMap((task) => (leaves(team, task) ? finish(run, task) : []));
  });
}

function leaves(team: Team, { spec }: Task): boolean {
  return memberOf(team, spec.id)?.leaves !== null;
}

function finish(run: Run, task: Task): RunEventBody[] {
  const attempt = idleAttempt(run, task);
  // If its process is being ended, this is decided again after that.
  if (attempt === null || attempt.stop !== null) return [];
  const problems = outputProblems(run, attempt, attempt.result.output);
  const corrections = problems.length === 0 ? [] : correct(attempt, problems, 0);
  if (corrections.length > 0) return corrections;
  if (attempt.parking.parked === null) return askStop(attempt, 'finished', 'its team has no more for it to do');
  return [
    { type: 'attempt.finished', attemptId: attempt.id, verdict: workVerdict(run, attempt, attempt.turn.ended, 0) },
  ];
}
