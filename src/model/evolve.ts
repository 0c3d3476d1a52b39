// Folds one event into a run. Mutates in place and keeps the indices; no clock, no I/O, no hidden input. Whether an event is
// allowed is decided elsewhere: here an event that makes no sense asserts. Each folder writes its own part of the state and
// nothing else. The table says which folders an event concerns. They fold it in the listed order: a folder that has to see
// another's part as it was before the event comes first.

import { evolveAsks } from './asks/evolve-asks.ts';
import { evolveAttempt } from './attempt/evolve-attempt.ts';
import { evolveLaunch } from './attempt/evolve-launch.ts';
import { evolveResult } from './attempt/evolve-result.ts';
import { evolveChildren } from './children/evolve-children.ts';
import type { RunEvent } from './core/events.ts';
import type { Run } from './core/run.ts';
import { evolveRun } from './evolve-run.ts';
import { evolveIntegration } from './integrate/evolve-integration.ts';
import { evolveLanding } from './land/evolve-landing.ts';
import { evolveMessages } from './messages/evolve-messages.ts';
import { evolveOtherRuns } from './messages/evolve-other-runs.ts';
import { addAgent, addAttempt, addTask } from './new-state.ts';
import { evolveParking } from './parking/evolve-parking.ts';
import { evolveReady } from './ready/evolve-ready.ts';
import { evolveSession } from './session/evolve-session.ts';
import { evolveTurn } from './session/evolve-turn.ts';
import { evolveSpending } from './spending/evolve-spending.ts';
import { evolveBriefing } from './tasks/briefing.ts';
import { evolveTask } from './tasks/evolve-task.ts';
import { evolveTeam } from './teams/evolve-team.ts';

export function evolve(run: Run, event: RunEvent): void {
  run.seq += 1;
  const folds: readonly Fold[] = concerned[event.type] as readonly Fold[];
  for (const fold of folds) fold(run, event);
}

type Fold<Event extends RunEvent = RunEvent> = (run: Run, event: Event) => void;

type Table = { readonly [Type in RunEvent['type']]: readonly Fold<Extract<RunEvent, { type: Type }>>[] };

/** Which folders fold an event, in this order. */
export const concerned: Table = {
  'run.created': [evolveRun, evolveSpending, evolveIntegration],
  'run.stopAsked': [evolveRun],
  'run.ended': [evolveRun, evolveParking],
  'run.resumed': [evolveRun],
  'run.removed': [evolveRun],
  'limits.set': [evolveRun, evolveChildren],

  'task.added': [addTask, evolveSpending, evolveTask, evolveChildren],
  'task.joined': [addTask, evolveSpending, evolveTask, evolveChildren],
  'task.delayed': [evolveReady, evolveTask],
  'task.due': [evolveTask],
  'task.opened': [evolveTask],
  'task.expanded': [evolveTask],
  'task.ended': [evolveReady, evolveTeam, evolveSession, evolveTask, evolveMessages, evolveChildren],
  'task.reopened': [evolveMessages, evolveTeam, evolveIntegration, evolveTask, evolveChildren],

  'agent.created': [addAgent, evolveChildren],
  'agent.session': [evolveSession],
  'agent.sessionLost': [evolveSpending, evolveMessages, evolveSession],
  'session.renewed': [evolveSpending, evolveMessages, evolveSession, evolveAttempt, evolveChildren],
  'session.steered': [evolveSession, evolveIntegration, evolveTask],
  'context.filled': [evolveSession],
  'context.compacted': [evolveSession],
  'handoff.asked': [evolveSession],
  'handoff.given': [evolveSession],

  'record.queued': [evolveBriefing, evolveMessages, evolveSession, evolveChildren],
  'record.written': [evolveAsks, evolveSession, evolveMessages, evolveAttempt],
  'record.pinned': [evolveAttempt],
  'record.deferred': [evolveMessages, evolveAttempt],
  'record.delivered': [evolveSession, evolveTurn, evolveChildren, evolveMessages],
  'record.found': [evolveTurn, evolveMessages],
  'message.sent': [evolveMessages, evolveChildren],
  'message.taken': [evolveMessages, evolveSession],
  'message.undelivered': [evolveMessages],
  'message.outbound': [evolveOtherRuns],
  'message.posted': [evolveOtherRuns],
  'message.returned': [evolveOtherRuns],
  'consent.given': [evolveOtherRuns],
  'call.answered': [evolveMessages, evolveSession, evolveChildren],

  'attempt.started': [addAttempt, evolveSpending, evolveMessages, evolveSession, evolveTask],
  'workspace.ready': [evolveAttempt],
  'workspace.saved': [evolveAttempt],
  'launch.intended': [evolveMessages, evolveSession, evolveParking, evolveTurn, evolveLaunch],
  'launch.started': [evolveLaunch],
  'launch.read': [evolveMessages, evolveLaunch],
  'launch.signalled': [evolveLaunch],
  'launch.ended': [evolveSpending, evolveSession, evolveTurn, evolveLaunch],
  'launch.lost': [evolveSpending, evolveSession, evolveTurn, evolveLaunch],
  'turn.ended': [evolveMessages, evolveSession, evolveTurn],
  'stop.asked': [evolveAttempt],
  'attempt.finished': [evolveAttempt],
  'evidence.recorded': [evolveAttempt],
  'effect.failed': [evolveAttempt],
  'attempt.ended': [
    evolveReady,
    evolveMessages,
    evolveAsks,
    evolveParking,
    evolveIntegration,
    evolveTask,
    evolveAttempt,
  ],
  'attempt.waiting': [evolveChildren],
  'attempt.parked': [evolveReady, evolveSpending, evolveAttempt, evolveParking],
  'attempt.unparked': [evolveSpending, evolveAttempt, evolveParking],
  'attempt.braked': [evolveParking],
  'attempt.limited': [evolveParking],
  'attempt.served': [evolveParking],
  'attempt.quotaReported': [],
  'attempt.lineSeen': [evolveParking],
  'paths.claimed': [evolveReady],
  'progress.reported': [evolveChildren],
  'limit.reached': [evolveChildren],

  'ask.opened': [evolveAsks, evolveTask],
  'ask.answered': [evolveAsks, evolveIntegration, evolveTask],
  'ask.expired': [evolveAsks],

  'usage.recorded': [evolveSpending],
  'usage.metered': [evolveSpending],
  'budget.set': [evolveReady, evolveSpending],
  'budget.day': [evolveReady, evolveSpending],
  'run.paused': [evolveParking],
  'run.unpaused': [evolveReady, evolveParking],

  'output.given': [evolveResult],
  'output.refused': [evolveResult],
  'artifact.stored': [evolveResult, evolveSession],
  'integration.queued': [evolveResult, evolveIntegration],
  'integration.succeeded': [evolveResult, evolveIntegration],
  'integration.dropped': [evolveIntegration],
  'integration.conflicted': [evolveResult, evolveIntegration],
  'integration.failed': [evolveResult, evolveIntegration],
  'landing.asked': [evolveRun, evolveLanding],
  'landing.sentBack': [evolveRun, evolveIntegration, evolveTask],
  'landing.moved': [evolveLanding],
  'landing.tryFailed': [evolveLanding],
  'landing.ended': [evolveLanding],

  'team.created': [evolveTeam],
  'team.joined': [evolveTeam],
  'team.itemsAdded': [evolveTeam],
  'team.itemClaimed': [evolveTeam],
  'team.itemDone': [evolveTeam],
  'team.itemGivenBack': [evolveTeam],
  'team.itemOffered': [evolveTeam],
  'team.shutdownAsked': [evolveTeam],
  'team.shutdownAnswered': [evolveTeam],
  'team.forced': [evolveTeam],
  'team.dismissed': [evolveTeam],
  'team.deleted': [evolveTeam],
};
