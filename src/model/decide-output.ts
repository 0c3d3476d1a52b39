// Decisions on an agent's output.

import { slotChange } from './asks/asks-alone.ts';
import { requestEvents } from './asks/permission-requests.ts';
import { giveBack } from './children/resting.ts';
import type { Agent } from './core/agent.ts';
import type { Attempt } from './core/attempt.ts';
import { type Command, type Decision, decided, refused, stale } from './core/command.ts';
import type { RunEventBody } from './core/events.ts';
import { agentOf, presentLaunch } from './core/lookup.ts';
import { pauseOf as pauseOfRun, pauseWords } from './core/pause.ts';
import type { Run } from './core/run.ts';
import { contextEvents } from './lifecycle/handing-over.ts';
import { afterTurn, countOf, lastTurn } from './lifecycle/turn-end.ts';
import { ownRecord } from './messages/own-record.ts';
import { isControl } from './messages/record-body.ts';
import { isInput } from './messages/record-queue.ts';
import type { ParkReason } from './parking/admission.ts';
import { askPause, limitAfter, pauseAfter, pauseBefore, pauseInRetry } from './parking/parking.ts';
import type { AgentFact } from './session/agent-fact.ts';
import type { Filling } from './session/session-events.ts';
import { justTold } from './spending/underway.ts';
import { decideCall } from './tool-calls/decide-call.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideOutput(run: Run, command: Of<'output'>, now: number): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'live') return stale(command.launchId);
  const { attempt, launch } = found;
  if (command.from !== launch.offset) {
    return refused('stale', `output of ${launch.id} was read from ${command.from}, the record is at ${launch.offset}`);
  }
  const read: RunEventBody = { type: 'launch.read', launchId: launch.id, offset: command.to, codec: command.codec };
  const [first] = command.facts;
  const asks = requestEvents(run, attempt, command.facts);
  const slot = slotChange(run, attempt, command.facts, asks);
  // A call is decided alone, so that later facts see its effect.
  if (first?.kind === 'call') return decided([...slot.before, ...decideCall(run, attempt, first, now), read]);
  const agent = agentOf(run, attempt.agentId);
  const fill = command.facts.findLast((fact) => fact.kind === 'filled');
  const events = [...slot.before, ...command.facts.flatMap((fact) => factEvents(fact, attempt, agent, fill))];
  events.push(...asks, ...slot.after);
  const queued = replies(command.replies, attempt);
  queued.push(...rounds(run, attempt, agent, command, now));
  queued.push(...contextEvents(run, attempt, command.facts, countOf(queued)));
  events.push(...queued);
  const told = countOf(queued);
  events.push(read);
  const delivered = new Set(command.facts.map((fact) => (fact.kind === 'delivered' ? fact.recordId : null)));
  const waiting = agent.mailbox.records.some((message) => isInput(message) && !delivered.has(message.id));
  const turnEnded = endsTurn(command, agent);
  if (turnEnded && lastTurn(command.facts)?.kind === 'ok') events.push(...giveBack(attempt));
  const pause = turnEnded ? pauseOf(run, attempt, command, waiting, now) : null;
  if (pause !== null) {
    const ended = lastTurn(command.facts);
    if (!command.facts.some(({ kind }) => kind === 'limited')) events.push(...limitAfter(attempt, ended));
    events.push(...askPause({ ...attempt, turn: { ...attempt.turn, ended } }, pause, told));
  }
  const later = turnEnded
    ? null
    : (pauseInRetry(run, attempt, command.facts, now) ?? pauseInTurn(run, attempt, command));
  if (later !== null) events.push(...askPause(attempt, later, told));
  if (pause === null && turnEnded) {
    events.push(...afterTurn(run, attempt, { facts: command.facts, waiting, before: events, told }));
  }
  return decided(events);
}

/** Whether the agent is idle after these facts: a record that it read after the turn's end begins the next turn. */
function endsTurn({ facts }: Of<'output'>, { mailbox: { records } }: Agent): boolean {
  const begins = (fact: AgentFact): boolean =>
    fact.kind === 'delivered' && records.some(({ id, body }) => id === fact.recordId && !isControl(body));
  return facts.findLast((fact) => fact.kind === 'turnEnded' || begins(fact))?.kind === 'turnEnded';
}

/** Why the turn that has just ended is not followed by another now, although there is more to do. */
function pauseOf(run: Run, attempt: Attempt, command: Of<'output'>, waiting: boolean, now: number): ParkReason | null {
  const why = pauseAfter(run, attempt, lastTurn(command.facts));
  return why ?? (waiting ? pauseBefore(run, attempt, now) : null);
}

/** Why an agent that does not ask between two requests is interrupted there. */
function pauseInTurn(run: Run, { parking: { brake } }: Attempt, { facts }: Of<'output'>): ParkReason | null {
  const pause = pauseOfRun(run);
  if (pause === null || brake !== null || !facts.some(({ kind }) => kind === 'roundOver')) return null;
  return { kind: 'pause', detail: pauseWords(pause) };
}

/** Answers to an agent that asks between two requests whether it may continue, by its usage so far. */
function rounds(run: Run, attempt: Attempt, agent: Agent, command: Of<'output'>, now: number): RunEventBody[] {
  const events: RunEventBody[] = [];
  const { facts, replies } = command;
  const parts = facts.findLast((fact) => fact.kind === 'metered')?.parts ?? agent.spending.metered;
  const asked = facts.filter((fact) => fact.kind === 'round');
  const waits = attempt.waits === null ? null : ({ kind: 'waits', detail: 'it waits' } as const);
  const pause = attempt.parking.brake ?? waits ?? pauseBefore(run, attempt, now, justTold(agent, parts));
  const why = asked.length === 0 ? null : pause;
  if (why !== null && why !== waits && attempt.parking.brake === null)
    events.push({ type: 'attempt.braked', attemptId: attempt.id, why });
  asked.forEach(({ requestId }, i) => {
    events.push(ownRecord(attempt, { kind: 'round', requestId, goOn: why === null }, replies.length + i));
  });
  return events;
}

function factEvents(fact: AgentFact, attempt: Attempt, agent: Agent, fill?: Filling): RunEventBody[] {
  switch (fact.kind) {
    case 'session':
      return fact.session === agent.session
        ? []
        : [{ type: 'agent.session', agentId: agent.id, session: fact.session }];
    case 'sessionLost':
      return agent.session === null ? [] : [{ type: 'agent.sessionLost', agentId: agent.id }];
    case 'delivered':
      return agent.mailbox.records.some((message) => message.id === fact.recordId)
        ? [{ type: 'record.delivered', recordId: fact.recordId, agentId: agent.id }]
        : [];
    case 'usage':
      return [
        {
          type: 'usage.recorded',
          agentId: agent.id,
          taskId: attempt.taskId,
          model: fact.model,
          usage: fact.usage,
        },
      ];
    case 'metered':
      return [{ type: 'usage.metered', agentId: agent.id, parts: fact.parts }];
    case 'limited':
      return [{ type: 'attempt.limited', attemptId: attempt.id, limit: fact.limit, untilMs: fact.untilMs }];
    case 'answered':
      return attempt.parking.limits > 0 || attempt.parking.probe
        ? [{ type: 'attempt.served', attemptId: attempt.id }]
        : [];
    case 'allowance': {
      const { of, used, resetsAtMs } = fact;
      return [{ type: 'attempt.quotaReported', attemptId: attempt.id, of, used, resetsAtMs }];
    }
    // Handled by permission requests, decideCall, rounds and contextEvents.
    case 'permissionRequest':
    case 'blocked':
    case 'call':
    case 'withdrawn':
    case 'round':
    case 'roundOver':
    case 'filled':
    case 'compaction':
      return [];
    case 'output':
      return [{ type: 'output.given', attemptId: attempt.id, value: fact.value, problems: fact.problems }];
    case 'turnEnded':
      return [{ type: 'turn.ended', agentId: agent.id, attemptId: attempt.id, turn: fact.turn, ...contextAt(fill) }];
  }
}

function contextAt(fill: Filling | undefined): { context?: Filling } {
  return fill === undefined ? {} : { context: { tokens: fill.tokens, window: fill.window } };
}

/** Answers of the harness itself, numbered after the other records of this decision. */
function replies(records: readonly string[], attempt: Attempt): RunEventBody[] {
  return records.map((record, i) => ownRecord(attempt, { kind: 'record', record }, i));
}
