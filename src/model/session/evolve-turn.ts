// Folds when an attempt's agent begins and ends a turn, and its last words.

import { unreachable } from '../../std/assert.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
import { agentOf, attemptOf, attemptOfLaunch, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { isControl } from '../messages/record-body.ts';
import { saidLast } from './last-words.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export function evolveTurn(
  run: Run,
  event: Of<'record.delivered' | 'record.found' | 'launch.intended' | 'launch.ended' | 'launch.lost' | 'turn.ended'>,
): void {
  switch (event.type) {
    case 'record.delivered':
    case 'record.found':
      return readRecord(run, event);
    case 'launch.intended':
      return beginTurn(attemptOf(run, event.attemptId));
    case 'launch.ended':
    case 'launch.lost': {
      const { turn } = attemptOfLaunch(run, event.launchId);
      turn.unfinished = event.unfinished ?? turn.unfinished;
      return;
    }
    case 'turn.ended': {
      const { turn } = attemptOf(run, event.attemptId);
      turn.ended = event.turn;
      turn.idleSince = event.at;
      return;
    }
    default:
      unreachable(event);
  }
}

/** An agent that has read an input record starts a turn on it. */
function readRecord(run: Run, { agentId, recordId }: Of<'record.delivered' | 'record.found'>): void {
  const agent = agentOf(run, agentId);
  const record = agent.mailbox.records.find(({ id }) => id === recordId);
  const { attempt } = taskOf(run, agent.taskId);
  if (record === undefined || isControl(record.body) || attempt?.agentId !== agentId) return;
  beginTurn(attempt);
}

function beginTurn({ turn }: Attempt): void {
  turn.unfinished = saidLast(turn);
  turn.ended = null;
  turn.idleSince = 0;
}
