// Rebuilds a session from the journal: what an agent is told of its own work when its session was lost or replaced by a fresh
// one. Bounded, and a function of the journal alone.

import type { Agent } from '../core/agent.ts';
import type { RunEventBody } from '../core/events.ts';
import type { AgentId, AttemptId } from '../core/ids.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { type Handoff, handoffWords } from './handoff.ts';
import { underWay } from './interrupted-note.ts';

/** In at most `max` characters. Empty if its agent has had no session before and `again` is not set. */
export function rebuiltWords(run: Run, { attempt }: Task, again: boolean, max: number): string {
  const agent = attempt === null ? null : agentOf(run, attempt.agentId);
  const ended = agent?.memory.ended ?? null;
  if (agent === null || (!again && ended === null)) return '';
  const handedOver = ended === 'handedOver';
  const head = [
    handedOver ? handedOverNote : lostNote,
    ...(handedOver ? [] : lastSeen(agent)),
    ...artifactWords(agent),
  ].join('\n\n');
  const { handoffs } = agent.memory;
  if (handoffs.length === 0) return head;
  return `${head}\n\n${handoffHead}${handoffWords(handoffs, max - head.length - handoffHead.length - 2)}`;
}

const lostNote =
  'You have worked on this before, and that conversation was lost. What you did is in this workspace: look at it ' +
  'first, do not start over, and look before you repeat a command that reaches beyond it.';

const handedOverNote =
  'You have worked on this before. That conversation was ended for a fresh one, which begins here. What you did is in this ' +
  'workspace: continue from there, do not start over.';

const handoffHead = '## What was handed over\n\n';

const saidMax = 600;

function lastSeen({ memory: { said, inFlight } }: Agent): string[] {
  return [
    ...(said === '' ? [] : [`You said at the end of your last turn: ${cut(said, saidMax)}`]),
    ...(inFlight.length === 0 ? [] : [`${underWay(inFlight)}They may have taken effect in part or in whole.`]),
  ];
}

const artifactsShown = 10;

function artifactWords({ memory: { artifacts } }: Agent): string[] {
  if (artifacts.length === 0) return [];
  const named = artifacts.slice(-artifactsShown).map(({ artifactId, kind }) => `${artifactId} (${kind})`);
  const more = artifacts.length > artifactsShown ? ', and earlier ones' : '';
  return [`Stored of your work: ${named.join(', ')}${more}.`];
}

/** Messages of people to earlier agents of the task, without those that this agent is about to read. */
export function saidWords(run: Run, { attempt, session: { said } }: Task): string {
  const records = attempt === null ? [] : agentOf(run, attempt.agentId).mailbox.records;
  const past = said.filter(({ recordId }) => !records.some(({ id }) => id === recordId));
  if (past.length === 0) return '';
  const lines = past.map(({ from, text }) => `- ${from}: ${cut(text, saidMax)}`);
  return [
    '## Said before',
    'People sent these messages to earlier agents of this task; they still apply.',
    lines.join('\n'),
  ].join('\n\n');
}

/** Empty if the agent handed over itself. */
export function handoverFromRecord(
  run: Run,
  task: Task,
  {
    attemptId,
    agentId,
    inFlight,
  }: { attemptId: AttemptId; agentId: AgentId; inFlight?: readonly string[] | undefined },
): RunEventBody[] {
  const { memory } = agentOf(run, agentId);
  if (memory.handedOver) return [];
  const handoff = recordedHandoff(task, memory.said, inFlight ?? memory.inFlight);
  return [{ type: 'handoff.given', attemptId, agentId, artifactId: null, handoff }];
}

function recordedHandoff(
  { attempt, tries: { lastFailure } }: Task,
  said: string,
  inFlight: readonly string[],
): Handoff {
  const { paths, total } = attempt?.workspace.changed ?? { paths: [], total: 0 };
  const more = total > paths.length ? [`and ${total - paths.length} more files`] : [];
  return {
    found: said === '' ? [] : [`Said at the end of the last turn: ${cut(said, saidMax)}`],
    decided: [],
    changed: [...paths, ...more],
    remaining: ['Nobody said what is left: compare what the task asks for with what the workspace shows.'],
    commands: inFlight.map((call) => `${cut(call, saidMax)} (under way when the process ended)`),
    tried: lastFailure === null ? [] : [`Ended with ${lastFailure.reason}: ${cut(lastFailure.detail, saidMax)}`],
  };
}

function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max)} …` : line;
}
