// How an attempt is brought to its end: first by word, then TERM, then KILL, each with its grace. Which rung is
// due follows from the record and the time alone, so a restart in the middle of the ladder goes on where it was.

import type { RunEventBody, Rung, StopReason } from './events.ts';
import { ownMessageId } from './ids.ts';
import type { Attempt, Launch } from './run.ts';
import { killGraceMs, killRepeatMs, termGraceMs } from './timing.ts';

/** An attempt that has a reason to end, or whose work is over and being saved and proved. */
export function isEnding(attempt: Attempt): boolean {
  return attempt.stop !== null || attempt.state === 'saving' || attempt.state === 'proving';
}

/** The first reason wins: an attempt that is already ending gives no events. */
export function askStop(attempt: Attempt, reason: StopReason, detail: string): RunEventBody[] {
  if (isEnding(attempt)) return [];
  const events: RunEventBody[] = [{ type: 'stop.asked', attemptId: attempt.id, reason, detail }];
  if (attempt.state === 'launching' || attempt.state === 'running') {
    const words = reason === 'finished' ? (['end'] as const) : (['interrupt', 'end'] as const);
    words.forEach((kind, i) => {
      events.push({
        type: 'message.queued',
        messageId: ownMessageId(attempt.id, attempt.ownMessages + 1 + i),
        agentId: attempt.agentId,
        from: 'signalbox',
        body: { kind },
      });
    });
  }
  if (attempt.state === 'resting' && reason !== 'finished') {
    events.push({
      type: 'attempt.finished',
      attemptId: attempt.id,
      verdict: { kind: 'failed', failure: { reason, detail } },
    });
  }
  return events;
}

/** The next rung and the time at which it is due. */
export function nextRung(launch: Launch, stopAt: number): { rung: Rung; from: number; ms: number } {
  const { signalled } = launch;
  if (signalled === null) {
    return { rung: 'term', from: Math.max(stopAt, launch.startedAt ?? stopAt), ms: termGraceMs };
  }
  return { rung: 'kill', from: signalled.at, ms: signalled.rung === 'term' ? killGraceMs : killRepeatMs };
}
