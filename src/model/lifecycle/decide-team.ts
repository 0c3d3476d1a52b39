// Changes of teams that no agent asks for: an idle member is offered free work, leaving members end, members that did not agree
// to a forced end in time are stopped, and members that will get no more work are dismissed.

import { liveAttempt } from '../attempt/stopping.ts';
import { stopBelow } from '../children/stop-below.ts';
import { childLimitsOf } from '../core/child-limits.ts';
import type { RunEventBody } from '../core/events.ts';
import type { TaskId } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { limitIsPassed } from '../core/timing.ts';
import { sendOwnMessage } from '../messages/own-message.ts';
import { shortageFor } from '../spending/allowance.ts';
import { isLed, openMembers } from '../teams/membership.ts';
import { heldBy, type Item, isClaimable, memberOf, type Team } from '../teams/team.ts';
import { decideDismissal, decideLeaving, isIdle, isQuiet } from './standing.ts';

export function decideNextOfTeams(run: Run, now: number): RunEventBody[] {
  if (run.teams.size === 0) return [];
  for (const decide of [decideLeaving, decideForced, decideNextOffer, decideDismissal]) {
    const events = decide(run, now);
    if (events.length > 0) return events;
  }
  return [];
}

/** One at a time: one member may be a descendant of another and be stopped with it. */
function decideForced(run: Run, now: number): RunEventBody[] {
  for (const { team, task, until } of graces(run)) {
    if (!limitIsPassed(now, until, 0)) continue;
    const by = `"${taskOf(run, team.lead).spec.name}", which ends team "${team.name}" by force`;
    const events = stopBelow(run, task, by);
    if (events.length > 0) return events;
  }
  return [];
}

/** When the graces of forced ends run out. */
export function graceEnds(run: Run): number[] {
  return graces(run).map(({ until }) => until);
}

function graces(run: Run): { readonly team: Team; readonly task: Task; readonly until: number }[] {
  const { shutdownMs } = childLimitsOf(run);
  return [...run.teams.values()]
    .filter((team) => team.forced && isLed(run, team))
    .flatMap((team) => {
      return openMembers(run, team).flatMap((task) => {
        const { askedAt = null, leaves = null } = memberOf(team, task.spec.id) ?? {};
        return askedAt === null || leaves !== null ? [] : [{ team, task, until: askedAt + shutdownMs }];
      });
    });
}

/** One member for one item: the others are not woken for it. */
function decideNextOffer(run: Run, now: number): RunEventBody[] {
  for (const team of run.teams.values()) {
    if (!isLed(run, team)) continue;
    const idle = openMembers(run, team).filter((task) => isIdle(run, task) && !isAsked(team, task.spec.id));
    if (idle.length === 0) continue;
    for (const item of team.items) {
      const to = isClaimable(team, item) ? nextToTell(run, team, item, idle, now) : undefined;
      if (to === undefined) continue;
      return [
        { type: 'team.itemOffered', team: team.name, n: item.n, to: to.spec.id },
        offerMessage(run, team, item, to.spec.id, now),
      ];
    }
  }
  return [];
}

function isAsked(team: Team, id: TaskId): boolean {
  const member = memberOf(team, id);
  return member !== null && member.askedAt !== null && !member.refused;
}

/**
 * No offer while the member that was offered it last may still take it. A member without budget gets it only if no other is
 * left.
 */
function nextToTell(run: Run, team: Team, item: Item, idle: readonly Task[], now: number): Task | undefined {
  const canWork = (task: Task): boolean => shortageFor(run, task, now) === null;
  const taker = takerOf(run, team, item);
  if (taker !== null && canWork(taker)) return undefined;
  const unnotified = idle.filter(({ spec }) => !item.offered.includes(spec.id));
  return unnotified.find(canWork) ?? (taker === null ? unnotified[0] : undefined);
}

/** The member that was offered it last and has not ended its turn since. */
function takerOf(run: Run, team: Team, { offeredTo }: Item): Task | null {
  if (offeredTo === null || heldBy(team, offeredTo).length > 0) return null;
  const task = taskOf(run, offeredTo);
  const attempt = liveAttempt(run, task);
  return attempt !== null && !isQuiet(run, attempt) ? task : null;
}

function offerMessage(run: Run, team: Team, { n }: Item, to: TaskId, now: number): RunEventBody {
  const call = JSON.stringify({ team: team.name, n });
  const text = `Item ${n} of team "${team.name}" is free: claim_task ${call} takes it. If it is not for you, end your turn.`;
  return sendOwnMessage(run, now, { to, kind: 'message', type: 'team-work', text });
}
