// What an agent is doing, read from its own output without asking a model. For people, not state: after a restart it is rebuilt
// from the journalled offset on.

import type { ModelUsage } from '../spending/usage.ts';
import type { AgentEvent } from './agent-fact.ts';

export interface Progress {
  toolCalls: number;
  /** What open tool calls do, by their ids: while there is one, silence may be a long command. */
  toolsOpen: Map<string, string>;
  /** What its last tool call does. */
  lastCall: string | null;
  /** The beginning of its last text. */
  lastText: string | null;
  turns: number;
  retries: number;
  compactions: number;
  /** Its background work. */
  background: Set<string>;
  garbageLines: number;
  /** Tokens in its context window at its last request; null = not reported. */
  contextTokens: number | null;
  /** The size of the context window; null = unknown. */
  contextWindow: number | null;
  /** The usage that its session reports in all, with the unfinished turn; null = not read yet. */
  metered: readonly ModelUsage[] | null;
}

const textMax = 200;
/** An agent that invents calls must not fill the daemon's memory. */
const openMax = 1_000;

export function noProgress(): Progress {
  return {
    toolCalls: 0,
    toolsOpen: new Map(),
    lastCall: null,
    lastText: null,
    turns: 0,
    retries: 0,
    compactions: 0,
    background: new Set(),
    garbageLines: 0,
    contextTokens: null,
    contextWindow: null,
    metered: null,
  };
}

export function foldProgress(progress: Progress, event: AgentEvent): void {
  switch (event.kind) {
    case 'text':
      progress.lastText = event.text.slice(0, textMax);
      return;
    case 'toolCall':
      progress.toolCalls += 1;
      progress.lastCall = event.what;
      if (progress.toolsOpen.size < openMax) progress.toolsOpen.set(event.id, event.what);
      return;
    case 'toolResult':
      progress.toolsOpen.delete(event.id);
      return;
    case 'context':
      progress.contextTokens = event.tokens;
      return;
    case 'window':
      progress.contextWindow = event.tokens;
      return;
    case 'metered':
      progress.metered = event.parts;
      return;
    case 'turnEnded':
      progress.turns += 1;
      progress.toolsOpen.clear();
      return;
    case 'retry':
      progress.retries += 1;
      return;
    case 'compaction':
      progress.compactions += 1;
      progress.contextTokens = event.tokensAfter;
      return;
    case 'backgroundStarted':
      if (progress.background.size < openMax) progress.background.add(event.id);
      return;
    case 'backgroundEnded':
      progress.background.delete(event.id);
      return;
    case 'garbage':
      progress.garbageLines += 1;
      return;
    default:
      return;
  }
}
