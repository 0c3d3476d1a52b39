// What happens when a context window fills up, as the task sets it: the agent is asked to compact, or to hand over to a fresh
// session, or its attempt fails. Also starts the session after a handoff.

import { slotPause } from '../asks/asks-alone.ts';
import { intendLaunch } from '../attempt/relaunch.ts';
import { askStop, isEnding } from '../attempt/stopping.ts';
import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import type { Command } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { isFailure } from '../core/failure.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { ownRecord } from '../messages/own-record.ts';
import { pauseAtLaunch } from '../parking/parking.ts';
import type { AgentFact, Turn } from '../session/agent-fact.ts';
import { type ContextSpec, usualContext } from '../session/context-spec.ts';
import { renewalsMax } from '../session/handoff.ts';
import { rememberFilling } from '../session/memory.ts';
import { handoverFromRecord } from '../session/rebuilt.ts';

export function contextOf(run: Run, { taskId }: Attempt): ContextSpec {
  return taskOf(run, taskId).spec.context ?? usualContext;
}

/**
 * Events from reports about the context. An agent that has just ended its turn may have no more to do: it is not asked
 * anything.
 */
export function contextEvents(run: Run, attempt: Attempt, facts: readonly AgentFact[], told: number): RunEventBody[] {
  const { id: attemptId, agentId } = attempt;
  const { how, percent } = contextOf(run, attempt);
  const inTurn = !facts.some(({ kind }) => kind === 'turnEnded');
  const events: RunEventBody[] = [];
  let { filled } = agentOf(run, agentId).memory;
  for (const fact of facts) {
    if (fact.kind === 'compaction') {
      const { kind: _, ...compaction } = fact;
      events.push({ type: 'context.compacted', attemptId, agentId, ...compaction });
      filled = false;
    }
    if (fact.kind !== 'filled' || filled || !isOver(fact, percent)) continue;
    const { kind: _, ...fill } = fact;
    filled = true;
    events.push({ type: 'context.filled', attemptId, agentId, ...fill });
    if (!inTurn || isEnding(attempt)) continue;
    if (how === 'fail') events.push(...overflow(attempt, percent, told));
    if (how === 'handoff') events.push(...askHandover(attempt, handoverNote, told));
  }
  return events;
}

function isOver({ tokens, window }: { tokens: number; window: number | null }, percent: number): boolean {
  return window !== null && window > 0 && tokens * 100 >= window * percent;
}

/**
 * Before another turn of a session that is too long. `before`: events decided already; `told` counts the records among them.
 */
export function beforeNextTurn(
  run: Run,
  attempt: Attempt,
  before: readonly RunEventBody[],
  told: number,
): RunEventBody[] {
  const agent = agentOf(run, attempt.agentId);
  const memory = { ...agent.memory };
  // The full context may be reported together with the turn's end.
  for (const event of before) {
    if (event.type === 'context.filled' || event.type === 'context.compacted') rememberFilling(memory, event);
  }
  const { how, percent } = contextOf(run, attempt);
  if (!memory.filled || isEnding(attempt)) return [];
  if (how === 'fail') return overflow(attempt, percent, told);
  if (how === 'handoff') return memory.handoversAsked > 0 ? [] : askHandover(attempt, handoverNote, told);
  const isOnItsWay = agent.mailbox.records.some(({ body }) => body.kind === 'compact');
  return memory.compaction === 'can' && !isOnItsWay ? [ownRecord(attempt, { kind: 'compact' }, told)] : [];
}

/** What the end of a turn leads to if its session has to hand over; null = it has not. `before`: events decided already. */
export function handoverAtTurnEnd(
  run: Run,
  attempt: Attempt,
  turn: Turn | null,
  waiting: boolean,
  before: readonly RunEventBody[],
  told: number,
): RunEventBody[] | null {
  const { memory } = agentOf(run, attempt.agentId);
  if (turn?.kind !== 'ok' || (attempt.stop !== null && isFailure(attempt.stop.reason))) return null;
  const given = before.findLast((event) => event.type === 'handoff.given');
  const handedOver = given === undefined ? memory.handedOver : given.handoff.remaining.length > 0;
  if (handedOver) return askStop(attempt, 'finished', 'it is started afresh from what it handed over', told);
  // The agent may not have read the request yet; and an agent that waits is not asked.
  if (given !== undefined || memory.handoversAsked === 0 || waiting || attempt.waits !== null) return null;
  if (memory.handoversAsked === 1) return askHandover(attempt, reminder, told);
  const task = taskOf(run, attempt.taskId);
  const made = handoverFromRecord(run, task, { attemptId: attempt.id, agentId: attempt.agentId });
  return [...made, ...askStop(attempt, 'finished', 'it is started afresh from what the record knows', told)];
}

/** Whether the process that ended like this is followed by one with a new session. */
export function isRenewed(run: Run, attempt: Attempt, { memory }: Agent, turn: Turn | null): boolean {
  const { stop } = attempt;
  if (run.state !== 'running' || (stop !== null && stop.reason !== 'finished')) return false;
  if (turn?.kind === 'ok') return memory.handedOver;
  return turn?.failure.reason === 'context-overflow' && contextOf(run, attempt).how === 'handoff';
}

export function renew(
  run: Run,
  attempt: Attempt,
  command: Extract<Command, { type: 'down' }>,
  now: number,
): RunEventBody[] {
  const { id: attemptId, agentId } = attempt;
  if (attempt.launches.renewals >= renewalsMax) {
    const detail = `it was started afresh ${attempt.launches.renewals} times and is not done`;
    const failure = { reason: 'context-overflow', detail } as const;
    return [{ type: 'attempt.finished', attemptId, verdict: { kind: 'failed', failure } }];
  }
  const why = pauseAtLaunch(run, attempt, now) ?? slotPause(attempt);
  const prompt = ownRecord(attempt, { kind: 'prompt' });
  return [
    ...handoverFromRecord(run, taskOf(run, attempt.taskId), { attemptId, agentId, inFlight: command.inFlight }),
    { type: 'session.renewed', attemptId, agentId },
    ...(why === null
      ? [intendLaunch(attempt, false), prompt]
      : [prompt, { type: 'attempt.parked', attemptId, why } as const]),
  ];
}

function overflow(attempt: Attempt, percent: number, told: number): RunEventBody[] {
  return askStop(attempt, 'context-overflow', `its context is filled to ${percent} % or more`, told);
}

function askHandover(attempt: Attempt, text: string, told: number): RunEventBody[] {
  const asked: RunEventBody = { type: 'handoff.asked', attemptId: attempt.id, agentId: attempt.agentId };
  return [asked, ownRecord(attempt, { kind: 'text', text }, told)];
}

const how =
  'Submit an artifact of kind "handoff" with the tool submit_artifact (found, changed, decided, remaining, commands, tried), ' +
  'then end your turn: you are started afresh in this workspace from it. Where nothing is left to be done, leave "remaining" empty.';

const handoverNote = `Your context window is nearly full. Bring what you are at to a good point and hand over. ${how}`;
const reminder = `You have not handed over yet. Do it now, before anything else. ${how}`;
