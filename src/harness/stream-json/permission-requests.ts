// Open permission requests of an agent, and whether they block everything it does. Derived from its own lines only: a request
// is over when its call has a result.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { nameIn, type State, withName, withoutName } from './state.ts';

/** `toolUseId`: the call that needs the permission; null = not reported, and then the agent asks one thing at a time. */
export function withAsk(state: State, requestId: string, toolUseId: string | null): State {
  const named = Object.entries(state.asks).filter(([, call]) => call !== '');
  const asks = toolUseId === null ? {} : Object.fromEntries(named);
  return { ...state, asks: withName(asks, requestId, toolUseId ?? '') };
}

export function withoutAsk(state: State, requestId: string): State {
  return Object.hasOwn(state.asks, requestId) ? { ...state, asks: withoutName(state.asks, requestId) } : state;
}

/** These calls have returned. */
export function withoutAsksOf(state: State, toolUseIds: readonly string[]): State {
  const left = Object.entries(state.asks).filter(([, call]) => !toolUseIds.includes(call));
  return left.length === Object.keys(state.asks).length ? state : { ...state, asks: Object.fromEntries(left) };
}

/** Reported whenever the blocking requests change. */
export function blockedBy(before: State, after: State): AgentEvent[] {
  if (after.asks === before.asks && after.tasks === before.tasks) return [];
  const requestIds = openAlone(after);
  const same = requestIds.length === 0 || requestIds.join('\n') === openAlone(before).join('\n');
  return same ? [] : [{ kind: 'blocked', requestIds }];
}

/**
 * The requests that block the agent: no background work, no running command, no subagent except those that wait too. Calls of
 * one answer without a request yet wait for those before them.
 */
function openAlone({ asks, tasks, within }: State): readonly string[] {
  const waiting = new Set<string>();
  for (const call of Object.values(asks)) {
    for (let id: string | undefined = call; id !== undefined && !waiting.has(id); id = nameIn(within, id))
      waiting.add(id);
  }
  const isBusy = Object.values(tasks).some(({ background, toolUseId }) => background || !waiting.has(toolUseId));
  return isBusy ? [] : Object.keys(asks);
}
