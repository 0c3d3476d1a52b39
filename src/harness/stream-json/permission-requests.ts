// What an agent has asked leave for and has not gone on from, and whether that is all that goes on in it. Only its own lines tell:
// a call that was asked about is over with its result.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { nameIn, type State, withName, withoutName } from './state.ts';

/** `toolUseId`: the call that it asks about; null = it does not say, and then it asks one thing at a time. */
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

/** Told whenever what it waits for changes and is all that goes on. */
export function blockedBy(before: State, after: State): AgentEvent[] {
  if (after.asks === before.asks && after.tasks === before.tasks) return [];
  const requestIds = openAlone(after);
  const same = requestIds.length === 0 || requestIds.join('\n') === openAlone(before).join('\n');
  return same ? [] : [{ kind: 'blocked', requestIds }];
}

/**
 * The requests that it waits for, where nothing goes on beside them: no work in the background, no command that runs, no
 * subagent but those that wait in turn. Calls of one answer that were not asked about yet wait for those before them.
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
