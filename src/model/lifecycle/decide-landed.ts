// Decides what follows from the end of a landing: one that conflicts with the user's branch goes back to the author of the
// work, as a conflict within the run does, and is landed again when that has succeeded.

import { type Command, type Decision, decided } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { type AttemptId, taskOfAttempt } from '../core/ids.ts';
import { askerOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { decideLanded, underWay } from '../land/decide-landing.ts';
import type { Landing, LandingOutcome } from '../land/landing.ts';
import { withCounted } from '../tasks/reopened-dependants.ts';
import { reopen } from '../tasks/resumed-children.ts';

type Landed = Extract<Command, { type: 'landed' }>;

export function decideLandedOrSentBack(run: Run, command: Landed): Decision {
  const landing = underWay(run, command.n);
  const back =
    landing === null || command.result.kind !== 'ended' ? null : sendBack(run, landing, command.result.outcome);
  return back === null ? decideLanded(run, command) : decided(back);
}

function sendBack(run: Run, landing: Landing, outcome: LandingOutcome): RunEventBody[] | null {
  if (outcome.kind !== 'conflict' || outcome.start === undefined || run.state !== 'landing') return null;
  // If only some tasks land, the run's branch has more than what conflicts.
  if (landing.tasks !== undefined || landing.rounds >= roundsMax) return null;
  const { branch, commit, start, paths, pathsTotal = paths.length, with: attempts = [] } = outcome;
  const author = authorOf(run, attempts as readonly AttemptId[]);
  if (author === null) return null;
  const { id: taskId } = author.spec;
  const told = { branch, commit, start, paths, pathsTotal, with: attempts as readonly AttemptId[] };
  return [
    { type: 'landing.ended', n: landing.n, outcome: { ...outcome, author: taskId } },
    ...reopen(run, withCounted(run, [author])),
    { type: 'landing.sentBack', n: landing.n, taskId, ...told },
  ];
}

/** How many conflicts with a branch that others move are resolved for one landing. */
const roundsMax = 3;

/** The last task whose work is in conflict; for a child, the plan's task above it. null = no agent can continue it. */
function authorOf(run: Run, attempts: readonly AttemptId[]): Task | null {
  for (const id of [...attempts].reverse()) {
    let task = run.tasks.get(taskOfAttempt(id)) ?? null;
    for (let asker = task; asker !== null; asker = askerOf(run, asker)) task = asker;
    if (task !== null && isFit(task)) return task;
  }
  return null;
}

function isFit({ spec, outcome }: Task): boolean {
  return spec.kind === 'work' && spec.keeps && spec.retry.conflictsMax > 0 && outcome?.kind === 'succeeded';
}
