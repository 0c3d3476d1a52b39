// Transcripts of the real `codex app-server`, as recorded. Requests in them go by numbers; here they are given the ids of our orders, so
// that the codec knows them.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RecordId } from '../../src/model/core/ids.ts';
import type { Recording } from './recordings.ts';

const folder = resolve(import.meta.dirname, '../fixtures/codex');

export const codexRecordings = readdirSync(folder).map((name) => name.replace('.jsonl', ''));

interface Recorded {
  readonly dir: string;
  readonly m: { readonly id?: unknown; readonly method?: string; readonly result?: unknown; readonly error?: unknown };
}

export function loadCodexRecording(name: string): Recording {
  const sent: RecordId[] = [];
  const ids = new Map<unknown, string>();
  const lines: string[] = [];
  const entries = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
  let newest = '';
  let waits = false;
  for (const { dir, m } of entries) {
    const isOurs = dir === '->' || dir === '>';
    if (isOurs && m.method !== undefined && m.id !== undefined) ids.set(m.id, idOf(m.method, sent, waits));
    if (isOurs && m.method === 'turn/start') newest = sent.at(-1) ?? '';
    if (isOurs) continue;
    waits = m.method === 'hook/started';
    const isAnswer = m.method === undefined && m.id !== undefined;
    const text = JSON.stringify(isAnswer ? { ...m, id: ids.get(m.id) ?? m.id } : m);
    // They were recorded without names for messages.
    lines.push(text.replaceAll('"clientId":null', `"clientId":${JSON.stringify(newest)}`));
  }
  return { lines, sent, status: 0 };
}

/** `waits`: the agent has come to the gate. */
function idOf(method: string, sent: RecordId[], waits: boolean): string {
  switch (method) {
    case 'thread/start':
    case 'thread/resume':
      return 'open';
    case 'turn/start': {
      const id: RecordId = `record_${sent.length + 1}`;
      sent.push(id);
      return id;
    }
    case 'turn/interrupt':
      return waits ? 'pause:record_0' : 'interrupt:record_0';
    default:
      return method;
  }
}
