// What is remembered of an agent's calls of our tools: one that is made again is answered the same, and an agent whose process
// was lost is told what it had done by them. Changed by the fold alone.

import { newest } from '../../std/newest-entries.ts';
import type { Agent } from '../core/agent.ts';
import type { MessageId } from '../core/ids.ts';
import type { AnsweredCall } from './memory.ts';

/** Calls that an agent may make again are few: it makes one after the other, and a round of them at once. */
const kept = { count: 64, size: 256_000 };

/** Tools that ask for nothing but an answer: asked again they are answered anew. */
const reading: ReadonlySet<string> = new Set(['get_task', 'list_tasks', 'read_output', 'team_list']);

export function rememberCall(agent: Agent, { callId, tool, text, isError }: Omit<AnsweredCall, 'seen'>): void {
  if (!isRemembered(tool)) return;
  const calls = [...agent.memory.calls, { callId, tool, text, isError, seen: false }];
  agent.memory.calls = newest(calls, kept, (call) => call.text.length);
}

export function isRemembered(tool: string): boolean {
  return !reading.has(tool);
}

/** Its turn has ended well. That it calls on proves nothing: several calls are made at once. */
export function allSeen(agent: Agent): void {
  agent.memory.taken = [];
  if (agent.memory.calls.some(({ seen }) => !seen))
    agent.memory.calls = agent.memory.calls.map((call) => ({ ...call, seen: true }));
}

/** What it may not have heard: of calls that it would do twice if it made them again, the newest last; of messages that it took. */
export interface Unheard {
  readonly done: readonly string[];
  readonly messages: readonly MessageId[];
}

export function unheardBy({ memory: { calls, taken } }: Agent): Unheard | null {
  const unseen = calls.filter(({ tool, isError, seen }) => !seen && !isError && repeating.has(tool));
  if (unseen.length + taken.length === 0) return null;
  return { done: unseen.map(({ tool, text }) => `${tool}: ${text}`), messages: taken };
}

/** Whose answers are Signalbox's words alone. */
const repeating: ReadonlySet<string> = new Set(['spawn_agent', 'send_message', 'ask_person', 'submit_artifact']);
