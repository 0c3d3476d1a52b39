// Holds the workspaces of a task while a client looks at it: as long as the connection is open, none is reused or removed.

import { setTimeout as delay } from 'node:timers/promises';
import type { TaskId } from '../../model/core/ids.ts';
import type { RunView } from '../../wire/views.ts';
import type { Exchange } from './http.ts';

export interface Holding {
  hold(attemptId: string, holder: string): Promise<void>;
  letGo(attemptId: string, holder: string): Promise<void>;
}

export interface HoldSource {
  readonly leaving: AbortSignal;
  readonly holding: Holding;
  look(taskId: TaskId): Promise<RunView>;
}

/** Short enough to see every new attempt before it ends. */
const pollMs = 250;
let count = 0;

export async function streamHold(source: HoldSource, exchange: Exchange, taskId: TaskId): Promise<null> {
  const { response, signal } = exchange;
  const { holding } = source;
  count += 1;
  const holder = `look-${process.pid}-${count}`;
  const ends = AbortSignal.any([signal, source.leaving]);
  const held = new Set<string>();
  const holdNewest = async (): Promise<void> => {
    const attempt = (await source.look(taskId)).tasks.find(({ id }) => id === taskId)?.attempt ?? null;
    if (attempt === null || held.has(attempt.id)) return;
    held.add(attempt.id);
    await holding.hold(attempt.id, holder);
  };
  try {
    await holdNewest();
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.flushHeaders();
    while (!ends.aborted) {
      await delay(pollMs, undefined, { signal: ends }).catch(() => undefined);
      await holdNewest();
    }
  } finally {
    for (const attemptId of held) await holding.letGo(attemptId, holder);
  }
  response.end();
  return null;
}
