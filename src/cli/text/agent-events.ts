// Lines for events of agents: spawns, messages, waits, claimed paths, limits, and their sessions. Pure.

import type { RunEvent } from '../../wire/event-names.ts';
import { toldWords } from './agent-text.ts';

type Names = ReadonlyMap<string, string>;
type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type ChildrenEvent = Of<
  | 'message.sent'
  | 'message.returned'
  | 'consent.given'
  | 'attempt.waiting'
  | 'paths.claimed'
  | 'progress.reported'
  | 'limit.reached'
  | 'limits.set'
>;

const types: ReadonlySet<string> = new Set<ChildrenEvent['type']>([
  'message.sent',
  'message.returned',
  'consent.given',
  'attempt.waiting',
  'paths.claimed',
  'progress.reported',
  'limit.reached',
  'limits.set',
]);

export function isOfChildren(event: RunEvent): event is ChildrenEvent {
  return types.has(event.type);
}

export function childrenProgress(event: ChildrenEvent, names: Names): string | null {
  switch (event.type) {
    case 'message.sent':
      // Ended tasks and answers of people have lines of their own.
      return event.message.kind === 'message' ? `message from ${event.message.fromName}` : null;
    case 'message.returned':
      return `not delivered: ${event.messages.join(', ')}: ${event.why}`;
    case 'consent.given':
      return `messages to and from run "${event.runName}" ${event.approved ? 'approved' : 'rejected'} by ${event.by}`;
    case 'attempt.waiting':
      return event.waits.tasks.length === 0 ? null : `waits for ${namesOf(event.waits.tasks, names)}`;
    case 'paths.claimed':
      return event.paths.length === 0 ? 'released its paths' : `claimed ${event.paths.join(', ')}`;
    case 'progress.reported':
      return toldWords(event);
    case 'limit.reached':
      return `limit reached: ${event.detail}`;
    case 'limits.set':
      return `limits set by ${event.by}: ${Object.entries(event.limits)
        .map(([limit, max]) => `${limit} ${max}`)
        .join(', ')}`;
  }
}

/** For an added task: the agent that spawned it, and what it waits for. */
export function addedWords({ task }: Of<'task.added'>, names: Names): string | null {
  // A phase waits for its tasks, which have lines of their own.
  const needs = task.needs.length === 0 || task.kind === 'milestone' ? '' : `waits for ${namesOf(task.needs, names)}`;
  const parent = names.get(task.parent ?? '');
  if (parent === undefined) return needs || null;
  const spawned = `spawned by ${parent}`;
  return needs === '' ? spawned : `${spawned}; ${needs}`;
}

const namesShown = 10;

function namesOf(ids: readonly string[], names: Names): string {
  const more = ids.length > namesShown ? ` and ${ids.length - namesShown} more` : '';
  return `${ids
    .slice(0, namesShown)
    .map((id) => names.get(id) ?? id)
    .join(', ')}${more}`;
}

type SessionEvent = Extract<RunEvent, { type: `${'session' | 'context' | 'handoff'}.${string}` }>;

export function isOfSession(event: RunEvent): event is SessionEvent {
  return /^(session|context|handoff)\./.test(event.type);
}

export function sessionProgress(event: SessionEvent): string | null {
  switch (event.type) {
    case 'session.steered':
      return `resumed by a message from ${event.from}`;
    case 'session.renewed':
      return 'a new session continues from the handoff';
    case 'context.filled':
      return `context ${percentOf(event.tokens, event.window)} full`;
    case 'context.compacted':
      return `context compacted from ${event.tokensBefore} to ${event.tokensAfter} tokens`;
    case 'handoff.asked':
      return 'asked to hand off to a new session';
    case 'handoff.given':
      return event.artifactId === null ? 'handoff made from the journal' : `handoff: ${event.artifactId}`;
    default:
      // An event of a newer daemon.
      return null;
  }
}

function percentOf(tokens: number, window: number | null): string {
  return window === null ? `with ${tokens} tokens` : `${Math.round((100 * tokens) / window)} %`;
}
