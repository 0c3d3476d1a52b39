// Decisions along an attempt's way, once it has started: workspace → launch → saved → proved → landed.
// A fact about something that is already over is stale: the world may tell twice, late, or out of order.

import { must } from '../std/assert.ts';
import type { Attempt } from './attempt.ts';
import { type Command, type Decision, decided, stale } from './command.ts';
import type { RunEventBody, Verdict } from './events.ts';
import { agentOf, presentLaunch, taskOf } from './lookup.ts';
import { pauseAtLaunch } from './parking.ts';
import { intendLaunch } from './relaunch.ts';
import type { Run } from './run.ts';
import { type Consequences, endAttempt, noConsequences } from './settle.ts';
import { evidenceVerdict, needsProof, stopVerdict } from './verdict.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decidePrepared(run: Run, command: Of<'prepared'>, now: number): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'preparing') return stale(command.attemptId);
  const ready: RunEventBody = {
    type: 'workspace.ready',
    attemptId: attempt.id,
    path: command.path,
    base: command.base,
    ...noted(command.notes),
  };
  if (attempt.stop !== null) return decided([ready, finish(attempt, stopVerdict(attempt.stop))]);
  const why = pauseAtLaunch(run, attempt, command, now);
  if (why !== null) return decided([ready, { type: 'attempt.parked', attemptId: attempt.id, why }]);
  const { session } = agentOf(run, attempt.agentId);
  return decided([ready, intendLaunch(attempt, session !== null)]);
}

export function decideLaunched(run: Run, command: Of<'launched'>): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'intended') return stale(command.launchId);
  return decided([{ type: 'launch.started', launchId: found.launch.id, process: command.process }]);
}

export function decideWritten(run: Run, command: Of<'written'>): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  const agent = agentOf(run, found.attempt.agentId);
  const message = agent.mail.find((each) => each.id === command.messageId);
  if (message?.state !== 'queued' && message?.state !== 'acked') return stale(command.messageId);
  return decided([
    {
      type: 'message.written',
      messageId: message.id,
      agentId: agent.id,
      launchId: command.launchId,
      end: command.end,
    },
  ]);
}

export function decideSignalled(run: Run, command: Of<'signalled'>): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  // Of two engines one asks it; KILL is repeated until it is gone.
  if (command.rung === 'term' && found.launch.signalled !== null) return stale(command.launchId);
  return decided([{ type: 'launch.signalled', launchId: command.launchId, rung: command.rung }]);
}

export function decideSaved(run: Run, command: Of<'saved'>): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'saving') return stale(command.attemptId);
  const { ref, commit, changed } = command;
  const saved: RunEventBody = {
    type: 'workspace.saved',
    attemptId: attempt.id,
    ref,
    commit,
    ...noted(command.notes),
    ...(changed === undefined ? {} : { changed }),
  };
  const verdict = must(attempt.verdict, 'a finished attempt has a verdict');
  if (verdict.kind === 'ok' && needsProof(taskOf(run, attempt.taskId).spec)) return decided([saved]);
  const all = noConsequences(saved);
  if (verdict.kind === 'ok') all.events.push({ type: 'evidence.recorded', attemptId: attempt.id, items: [] });
  endOrLand(run, attempt, verdict, commit, all);
  return decided(all.events);
}

export function decideProved(run: Run, command: Of<'proved'>): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'proving') return stale(command.attemptId);
  const all = noConsequences({ type: 'evidence.recorded', attemptId: attempt.id, items: command.items });
  const verdict = evidenceVerdict(taskOf(run, attempt.taskId).spec, command.items);
  endOrLand(run, attempt, verdict, attempt.workspace.commit, all);
  return decided(all.events);
}

export function decideLanded(run: Run, command: Of<'landed'>): Decision {
  const attempt = run.landing.get(command.attemptId);
  // Only the first in the queue was merged with the head that the record knows.
  if (attempt === undefined || run.landing.keys().next().value !== attempt.id) return stale(command.attemptId);
  const { id: attemptId } = attempt;
  const { outcome } = command;
  if (outcome.kind === 'landed') {
    const all = noConsequences({ type: 'landing.landed', attemptId, head: outcome.head });
    endAttempt(run, attempt, { kind: 'ok' }, attempt.workspace.commit, all);
    return decided(all.events);
  }
  const all = noConsequences({ type: 'landing.conflicted', attemptId, paths: outcome.paths });
  const detail = `its work does not fit what landed meanwhile, in ${outcome.paths.join(', ')}; both are kept`;
  endAttempt(run, attempt, { kind: 'failed', failure: { reason: 'conflict', detail } }, '', all);
  return decided(all.events);
}

/** What is good and has changed something goes onto the run's branch first. */
function endOrLand(run: Run, attempt: Attempt, verdict: Verdict, commit: string, all: Consequences): void {
  const { keeps } = taskOf(run, attempt.taskId).spec;
  const lands = keeps && run.spec?.lands === true && commit !== attempt.origin;
  if (verdict.kind === 'ok' && lands) {
    all.events.push({ type: 'landing.queued', attemptId: attempt.id });
  } else endAttempt(run, attempt, verdict, keeps ? commit : '', all);
}

function finish(attempt: Attempt, verdict: Verdict): RunEventBody {
  return { type: 'attempt.finished', attemptId: attempt.id, verdict };
}

function noted(notes: readonly string[] = []): { notes?: readonly string[] } {
  return notes.length === 0 ? {} : { notes };
}
