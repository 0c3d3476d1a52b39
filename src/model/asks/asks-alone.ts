// An agent that is blocked until a person answers holds no slot, though its process lives: it is parked in the append that
// opens the ask, and reads the answer when it has a slot again.

import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { isInput } from '../messages/record-queue.ts';
import type { ParkReason } from '../parking/admission.ts';
import type { AgentFact } from '../session/agent-fact.ts';
import { lastAskAbout, openRequests } from './find-asks.ts';
import type { PermissionRequest } from './permission.ts';

/** Whether it is parked with a process that waits for a person, or for a slot in which to read the answer. */
export function isAsking({ parking: { parked }, state }: Attempt): boolean {
  return parked?.why.kind === 'asks' && state === 'running';
}

/** It is parked without a process that has to end first, or with one that only waits. */
export function canTakeSlot(attempt: Attempt): boolean {
  return attempt.state === 'resting' || (isAsking(attempt) && attempt.stop === null);
}

/** Why an attempt whose process was lost while it was parked is not restarted at once; null = it has a slot. */
export function slotPause({ parking: { parked } }: Attempt): ParkReason | null {
  return parked === null
    ? null
    : { kind: 'waits', detail: 'a slot: its process was lost while it waited for a person' };
}

/** Whether it has a reason to take a slot. */
export function hasAnswer(run: Run, attempt: Attempt): boolean {
  const { records } = agentOf(run, attempt.agentId).mailbox;
  return (
    openRequests(run, attempt).length === 0 ||
    records.some(({ body, state }) => body.kind === 'answer' && state === 'queued')
  );
}

/** Whether an attempt may continue, if it is parked for a person's answer or a message. */
export function mayGoOn(run: Run, task: Task, why: ParkReason): boolean {
  if (why.kind === 'asks') return task.attempt !== null && hasAnswer(run, task.attempt);
  const records = run.agents.get(task.attempt?.agentId ?? 'agent_')?.mailbox.records ?? [];
  if (why.kind === 'waits') return records.some(isInput);
  if (why.kind === 'interrupt') return records.some((record) => isInput(record) && record.from !== 'signalbox');
  if (why.kind !== 'person') return true;
  const ask = lastAskAbout(run, task.spec.id);
  return ask?.id === why.askId && ask.state === 'approved';
}

/** Changes of its slot. `before` precedes the other events of the same facts, `after` follows them. */
export interface SlotChange {
  readonly before: readonly RunEventBody[];
  readonly after: readonly RunEventBody[];
}

/** `asks`: the events that open and close asks for the same facts. */
export function slotChange(
  run: Run,
  attempt: Attempt,
  facts: readonly AgentFact[],
  asks: readonly RunEventBody[],
): SlotChange {
  const { id: attemptId } = attempt;
  const asked = isAsking(attempt);
  const open = openAfter(run, attempt, asks);
  const waits = waitsAfter(facts, attempt, open);
  // It works again without an answer, so it holds a slot, even if all are taken: others then start later.
  if (asked && !waits) return { before: [{ type: 'attempt.unparked', attemptId }], after: [] };
  if (asked || !waits || attempt.stop !== null || run.state !== 'running') return { before: [], after: [] };
  const [detail = 'a person is asked'] = open.values();
  return { before: [], after: [{ type: 'attempt.parked', attemptId, why: { kind: 'asks', detail } }] };
}

/** The open requests with their questions, by request id. */
function openAfter(run: Run, attempt: Attempt, asks: readonly RunEventBody[]): ReadonlyMap<string, string> {
  const open = new Map(openRequests(run, attempt).map(({ id, request }) => [id, request]));
  for (const event of asks) {
    if (event.type === 'ask.opened' && 'attemptId' in event) open.set(event.askId, event.request);
    if (event.type === 'ask.expired') open.delete(event.askId);
  }
  return new Map(Array.from(open.values(), (request) => [request.requestId, wordsOf(request)]));
}

function wordsOf({ tool, questions }: PermissionRequest): string {
  return questions === undefined ? `may it use ${tool}?` : 'it asks a person';
}

function waitsAfter(facts: readonly AgentFact[], attempt: Attempt, open: ReadonlyMap<string, string>): boolean {
  let waits = isAsking(attempt);
  // Requests of an agent that is being stopped are not shown to people, and it waits all the same.
  const isUnanswered = (requestId: string): boolean => open.has(requestId) || (waits && attempt.stop !== null);
  for (const fact of facts) {
    if (fact.kind === 'blocked') waits = fact.requestIds.length > 0 && fact.requestIds.every(isUnanswered);
    else if (showsWork.has(fact.kind)) waits = false;
  }
  return waits;
}

const showsWork: ReadonlySet<AgentFact['kind']> = new Set(['withdrawn', 'turnEnded', 'round', 'call']);
