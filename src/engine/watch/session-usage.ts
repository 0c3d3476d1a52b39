// Reads the usage of a session from the transcript that the agent keeps: from where it was left, and each request once,
// however often it is in the file.

import type { AgentId } from '../../model/core/ids.ts';
import type { ModelUsage, Usage } from '../../model/spending/usage.ts';
import type { MeteredRequest } from '../../ports/harness.ts';
import type { HomePort } from '../../ports/home-port.ts';

export interface SessionRecord {
  /** Reads what was added since the last call. */
  readOn(file: string, folder: string | null): Promise<void>;
  add(request: MeteredRequest): void;
  has(requestId: string): boolean;
  /** Adds this request unless it is there. */
  sums(newest: MeteredRequest | null): readonly ModelUsage[];
  /**
   * The same without requests that the agent itself made after this one. Requests of subagents belong to their own
   * turn.
   */
  sumsThrough(last: MeteredRequest | null): readonly ModelUsage[];
}

export function openSessionRecord(
  homes: HomePort,
  agentId: AgentId,
  newReader: () => (line: string) => MeteredRequest | null,
  /** What is before this place in its own file is not its usage. */
  start = 0,
): SessionRecord {
  const offsets = new Map<string, number>();
  const requests = new Map<string, MeteredRequest>();
  /** Those of the agent itself, in order. */
  const own: string[] = [];
  const readers = new Map<string, (line: string) => MeteredRequest | null>();
  const readFile = async (path: string, isOwn: boolean): Promise<void> => {
    const readLine = readers.get(path) ?? newReader();
    readers.set(path, readLine);
    for (;;) {
      const from = offsets.get(path) ?? (isOwn ? start : 0);
      const { lines, end } = await homes.tail(agentId, path, from);
      for (const line of lines) {
        const request = readLine(line);
        if (request === null) continue;
        if (isOwn && !requests.has(request.id)) own.push(request.id);
        requests.set(request.id, request);
      }
      offsets.set(path, end);
      if (end <= from) return;
    }
  };
  const readAll = async (file: string, folder: string | null): Promise<void> => {
    await readFile(file, true);
    if (folder === null) return;
    for (const name of await homes.files(agentId, folder)) {
      if (name.endsWith('.jsonl')) await readFile(`${folder}/${name}`, false);
    }
  };
  let reading: Promise<void> = Promise.resolve();
  return {
    readOn(file, folder) {
      const read = (): Promise<void> => readAll(file, folder);
      // One after the other: each continues where the one before stopped.
      reading = reading.then(read, read);
      return reading;
    },
    add: (request) => void requests.set(request.id, request),
    has: (requestId) => requests.get(requestId)?.whole === true,
    sums: (newest) => sumsOf(withNewest([...requests.values()], newest)),
    sumsThrough(last) {
      const place = last === null ? -1 : own.indexOf(last.id);
      const later = new Set(place < 0 ? [] : own.slice(place + 1));
      return sumsOf(withNewest([...requests.values()], last).filter(({ id }) => !later.has(id)));
    },
  };
}

function withNewest(requests: readonly MeteredRequest[], newest: MeteredRequest | null): readonly MeteredRequest[] {
  return newest === null || requests.some(({ id }) => id === newest.id) ? requests : [...requests, newest];
}

function sumsOf(requests: Iterable<MeteredRequest>): readonly ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  for (const { model, usage } of requests) {
    const before = sums.get(model ?? '')?.usage;
    sums.set(model ?? '', { model, usage: before === undefined ? usage : plus(before, usage) });
  }
  return Array.from(sums.entries())
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, part]) => part);
}

function plus(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costMicroUsd: a.costMicroUsd === null || b.costMicroUsd === null ? null : a.costMicroUsd + b.costMicroUsd,
    turns: a.turns + b.turns,
  };
}
