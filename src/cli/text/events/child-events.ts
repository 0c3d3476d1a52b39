// What is told of agents that ask for agents while they are at work: who asked for whom, who wrote, what they wait for. Pure.

import type { RunEvent } from '../../../wire/event-names.ts';
import { toldWords } from '../agent-text.ts';

type Names = ReadonlyMap<string, string>;
type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type ChildrenEvent = Of<
  'message.sent' | 'attempt.waiting' | 'paths.claimed' | 'progress.told' | 'limit.reached' | 'limits.set'
>;

const types: ReadonlySet<string> = new Set<ChildrenEvent['type']>([
  'message.sent',
  'attempt.waiting',
  'paths.claimed',
  'progress.told',
  'limit.reached',
  'limits.set',
]);

export function isOfChildren(event: RunEvent): event is ChildrenEvent {
  return types.has(event.type);
}

export function childrenProgress(event: ChildrenEvent, names: Names): string | null {
  switch (event.type) {
    case 'message.sent':
      // How others ended, and what people answered, is told by itself.
      return event.message.kind === 'message' ? `a message from ${event.message.fromName}` : null;
    case 'attempt.waiting':
      return event.waits.tasks.length === 0 ? null : `waits for ${namesOf(event.waits.tasks, names)}`;
    case 'paths.claimed':
      return event.paths.length === 0 ? 'holds no more paths' : `holds ${event.paths.join(', ')}`;
    case 'progress.told':
      return toldWords(event);
    case 'limit.reached':
      return `is told: ${event.detail}`;
    case 'limits.set':
      return `limits were set by ${event.by}: ${Object.entries(event.limits)
        .map(([limit, max]) => `${limit} ${max}`)
        .join(', ')}`;
  }
}

/** A task that is added: by whom it was asked for, and what it waits for. */
export function addedWords({ task }: Of<'task.added'>, names: Names): string | null {
  // What a phase waits for are its tasks, which tell of themselves.
  const needs = task.needs.length === 0 || task.kind === 'milestone' ? '' : `waits for ${namesOf(task.needs, names)}`;
  const asker = names.get(task.parent ?? '');
  if (asker === undefined) return needs || null;
  const asked = `asked for by ${asker}`;
  return needs === '' ? asked : `${asked}; ${needs}`;
}

const namesShown = 10;

function namesOf(ids: readonly string[], names: Names): string {
  const more = ids.length > namesShown ? ` and ${ids.length - namesShown} more` : '';
  return `${ids
    .slice(0, namesShown)
    .map((id) => names.get(id) ?? id)
    .join(', ')}${more}`;
}
