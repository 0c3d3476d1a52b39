// Decisions on an attempt after its start: workspace → launch → saved → proved. A fact about something that is already over is
// stale: the world may report twice, late, or out of order.

import { must } from '../../std/assert.ts';
import { stampEvents } from '../attempt/artifact.ts';
import { ownEvidence } from '../attempt/evidence.ts';
import { intendLaunch } from '../attempt/relaunch.ts';
import { breakOffReason } from '../attempt/stopping.ts';
import { evidenceVerdict, needsProof, stopVerdict } from '../attempt/verdict.ts';
import type { Attempt } from '../core/attempt.ts';
import { type Command, type Decision, decided, stale } from '../core/command.ts';
import type { RunEventBody, Verdict } from '../core/events.ts';
import { agentOf, presentLaunch, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { pauseAtLaunch } from '../parking/parking.ts';
import { noConsequences } from '../tasks/end-task.ts';
import { endOrIntegrate } from './decide-integration.ts';
import { beforeNextTurn } from './handing-over.ts';

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
  const why = pauseAtLaunch(run, attempt, now);
  if (why !== null) return decided([ready, { type: 'attempt.parked', attemptId: attempt.id, why }]);
  const { session } = agentOf(run, attempt.agentId);
  return decided([ready, intendLaunch(attempt, session !== null)]);
}

export function decideLaunched(run: Run, command: Of<'launched'>): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'intended') return stale(command.launchId);
  const { attempt, launch } = found;
  const started: RunEventBody = { type: 'launch.started', launchId: launch.id, process: command.process };
  // The next record begins a turn of a session that may be too long for it. Nothing is written to the launch yet.
  return decided([...(launch.resume ? beforeNextTurn(run, attempt, [], 0) : []), started]);
}

/** A record on its way to a process: written, about to be, or not possible yet. Of two engines, the first report counts. */
export function decideRecord(run: Run, command: Of<'written' | 'pinned' | 'deferred'>): Decision {
  const { launchId, recordId } = command;
  const found = presentLaunch(run, launchId);
  if (found?.launch.state !== 'live') return stale(launchId);
  const agent = agentOf(run, found.attempt.agentId);
  const record = agent.mailbox.records.find((each) => each.id === recordId);
  if (record?.state !== 'queued' && record?.state !== 'acked') return stale(recordId);
  const names = { recordId, agentId: agent.id, launchId };
  if (command.type === 'written') return decided([{ type: 'record.written', ...names, end: command.end }]);
  const { pinned, offset, written } = found.launch;
  if (pinned?.recordId === recordId || record.deferred === true) return stale(recordId);
  if (command.type === 'pinned') return decided([{ type: 'record.pinned', ...names, codec: command.codec }]);
  // The codec has changed its state since: the record is tried again at once.
  if (offset !== command.offset || (command.end !== undefined && written > 0)) return stale(recordId);
  return decided([{ type: 'record.deferred', ...names, ...(command.end === undefined ? {} : { end: command.end }) }]);
}

export function decideSignalled(run: Run, command: Of<'signalled'>): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  // Of two engines only one sends TERM; KILL is repeated until the process is gone.
  if (command.rung === 'term' && found.launch.signalled !== null) return stale(command.launchId);
  return decided([{ type: 'launch.signalled', launchId: command.launchId, rung: command.rung }]);
}

export function decideSaved(run: Run, command: Of<'saved'>): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'saving') return stale(command.attemptId);
  const { ref, commit, changed, uncommitted = 0 } = command;
  const saved: RunEventBody = {
    type: 'workspace.saved',
    attemptId: attempt.id,
    ref,
    commit,
    ...noted(command.notes),
    ...(changed === undefined ? {} : { changed }),
    ...(uncommitted === 0 ? {} : { uncommitted }),
  };
  const stored = stampEvents(run, attempt, commit, command.artifacts ?? []);
  const verdict = must(attempt.result.verdict, 'a finished attempt has a verdict');
  const { spec } = taskOf(run, attempt.taskId);
  if (verdict.kind === 'ok' && needsProof(spec)) return decided([saved, ...stored]);
  const all = noConsequences(saved, ...stored);
  if (verdict.kind === 'ok') {
    const items = ownEvidence(spec, attempt, commit, uncommitted);
    all.events.push({ type: 'evidence.recorded', attemptId: attempt.id, items });
  }
  endOrIntegrate(run, attempt, verdict, commit, all);
  return decided(all.events);
}

export function decideProved(run: Run, command: Of<'proved'>): Decision {
  const attempt = run.live.get(command.attemptId);
  if (attempt?.state !== 'proving') return stale(command.attemptId);
  const { spec } = taskOf(run, attempt.taskId);
  const { commit, uncommitted } = attempt.workspace;
  const items = [...ownEvidence(spec, attempt, commit, uncommitted), ...command.items];
  const all = noConsequences({ type: 'evidence.recorded', attemptId: attempt.id, items });
  const proved = evidenceVerdict(spec, command.items);
  // A person who stopped it wants no further try.
  const stopped = proved.kind === 'failed' ? breakOffReason(run, attempt) : null;
  const verdict: Verdict = stopped === null ? proved : { kind: 'failed', failure: stopped };
  endOrIntegrate(run, attempt, verdict, commit, all);
  return decided(all.events);
}

function finish(attempt: Attempt, verdict: Verdict): RunEventBody {
  return { type: 'attempt.finished', attemptId: attempt.id, verdict };
}

function noted(notes: readonly string[] = []): { notes?: readonly string[] } {
  return notes.length === 0 ? {} : { notes };
}
