// Transcripts of the real CLI, as recorded. Messages in them go by UUIDs of their own; here they are given those that
// our ids derive to, and the receipts that a harness of today asks for, so that the codec knows them.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { derivedUuid } from '../../src/harness/derived-uuid.ts';
import { receiptPrefix, sumsRequest } from '../../src/harness/stream-json/codec.ts';
import type { RecordId } from '../../src/model/core/ids.ts';
import type { AgentEvent, Turn } from '../../src/model/session/agent-fact.ts';
import type { Harness } from '../../src/ports/harness.ts';
import { blankAgent } from './blank-agent.ts';

export interface Recording {
  readonly lines: readonly string[];
  /** Messages that were sent with a name, in order. */
  readonly sent: readonly RecordId[];
  readonly status: number | null;
}

const folder = resolve(import.meta.dirname, '../fixtures/claude');

export const recordings = readdirSync(folder)
  .filter((name) => !name.includes('session-file'))
  .map((name) => name.replace('.jsonl', ''));

export function rawLines(name: string): readonly string[] {
  return readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
}

interface Recorded {
  readonly dir: string;
  readonly msg?: { readonly type: string; readonly uuid?: string };
  readonly code?: number | null;
}

/** `sums`: as if the process had been asked, at its beginning, what its session had used so far. */
export function loadRecording(name: string, { sums = true }: { sums?: boolean } = {}): Recording {
  const sent: RecordId[] = [];
  const renamed = new Map<string, string>();
  const lines: string[] = [];
  let status: number | null = null;
  if (sums) lines.push(response(sumsRequest, { session: { total_cost_usd: 0, model_usage: {} } }));
  for (const text of rawLines(name)) {
    const { dir, msg, code } = JSON.parse(text) as Recorded;
    if (dir === 'exit') status = code ?? null;
    if (msg === undefined) continue;
    if (dir === 'stdin' && msg.type === 'user' && msg.uuid !== undefined) {
      const id: RecordId = `record_${sent.length + 1}`;
      sent.push(id);
      renamed.set(msg.uuid, derivedUuid(id));
      lines.push(response(receiptPrefix + id, {}));
    }
    if (dir !== 'stdout') continue;
    let line = JSON.stringify(msg);
    for (const [from, to] of renamed) line = line.replaceAll(from, to);
    lines.push(line);
  }
  return { lines, sent, status };
}

export interface Reading {
  readonly events: readonly AgentEvent[];
  readonly replies: readonly string[];
  readonly states: readonly string[];
  readonly ended: Turn | null;
}

/** `restart`: the state as it comes back from a journal, after every line. */
export function readAll(harness: Harness, { lines, status }: Recording, restart = false): Reading {
  const events: AgentEvent[] = [];
  const replies: string[] = [];
  const initial = harness.initial(blankAgent);
  const states = [initial];
  for (const line of lines) {
    // A state is only text: another reader in between must make no difference.
    if (restart) harness.read(initial, '{"type":"user","isReplay":true,"uuid":"x"}');
    const step = harness.read(states.at(-1) ?? '', line);
    states.push(restart ? JSON.stringify(JSON.parse(step.state)) : step.state);
    events.push(...step.events);
    replies.push(...step.replies);
  }
  return { events, replies, states, ended: harness.ended(states.at(-1) ?? '', status) };
}

function response(requestId: string, answer: unknown): string {
  return JSON.stringify({
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response: answer },
  });
}
