// Remembers an agent's calls of our tools: a repeated call gets the same answer, and an agent whose process was lost is told
// what its calls had done. Written by the fold alone.

import { newest } from '../../std/newest-entries.ts';
import type { Agent } from '../core/agent.ts';
import type { MessageId } from '../core/ids.ts';
import type { AnsweredCall } from './memory.ts';

/** An agent repeats only few calls: it makes them one after the other, or in one tool round. */
const kept = { count: 64, size: 256_000 };

/** Tools that only read: a repeated call is answered from the present state. */
const reading: ReadonlySet<string> = new Set(['get_task', 'list_tasks', 'read_output', 'team_list']);

export function rememberCall(agent: Agent, { callId, tool, text, isError }: Omit<AnsweredCall, 'seen'>): void {
  if (!isRemembered(tool)) return;
  const calls = [...agent.memory.calls, { callId, tool, text, isError, seen: false }];
  agent.memory.calls = newest(calls, kept, (call) => call.text.length);
}

export function isRemembered(tool: string): boolean {
  return !reading.has(tool);
}

/**
 * A turn that ended well proves that the agent has read all answers. A further call would not: several calls are made at once.
 */
export function allSeen(agent: Agent): void {
  agent.memory.taken = [];
  if (agent.memory.calls.some(({ seen }) => !seen))
    agent.memory.calls = agent.memory.calls.map((call) => ({ ...call, seen: true }));
}

/**
 * What the agent may not have read: answers of calls whose repetition would do harm, the newest last, and messages that it
 * took.
 */
export interface Unheard {
  readonly done: readonly string[];
  readonly messages: readonly MessageId[];
}

export function unheardBy({ memory: { calls, taken } }: Agent): Unheard | null {
  const unseen = calls.filter(({ tool, isError, seen }) => !seen && !isError && repeating.has(tool));
  if (unseen.length + taken.length === 0) return null;
  return { done: unseen.map(({ tool, text }) => `${tool}: ${text}`), messages: taken };
}

/** Tools with an effect that must not be repeated. Their answers are Signalbox's own words. */
const repeating: ReadonlySet<string> = new Set(['spawn_agent', 'send_message', 'ask_person', 'submit_artifact']);
