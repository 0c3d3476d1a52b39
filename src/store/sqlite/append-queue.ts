// Group commit: everything that is asked for during a commit shares the next one. What crosses to the writer at once is
// bounded; the rest waits here, in order, each caller with a promise of its own.

import type { AppendOutcome, StreamAppend } from '../../ports/journal.ts';

/** Sends one batch and resolves, after its commit, to the answer for the request at each index. */
export type SendBatch = (
  requests: readonly (readonly StreamAppend[])[],
) => Promise<(index: number) => AppendOutcome | Error>;

export interface AppendQueue {
  append(parts: readonly StreamAppend[], bytes: number): Promise<AppendOutcome>;
  /** Resolves when everything asked for so far is answered. */
  drained(): Promise<void>;
}

interface Request {
  readonly parts: readonly StreamAppend[];
  readonly bytes: number;
  resolve(outcome: AppendOutcome): void;
  reject(error: unknown): void;
}

export interface BatchLimits {
  readonly requestsMax: number;
  readonly bytesMax: number;
}

export const batchLimits: BatchLimits = { requestsMax: 1024, bytesMax: 32 * 1024 * 1024 };

export function createAppendQueue(send: SendBatch, limits: BatchLimits = batchLimits): AppendQueue {
  let waiting: Request[] = [];
  let pumping: Promise<void> | null = null;

  async function pump(): Promise<void> {
    // One turn of the event loop first: what is asked for in the same turn belongs to the same commit.
    for (await turn(); waiting.length > 0; await turn()) {
      const count = batchSize(waiting, limits);
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      await storeBatch(batch, send);
    }
    pumping = null;
  }

  return {
    append(parts, bytes) {
      return new Promise((resolve, reject) => {
        waiting.push({ parts, bytes, resolve, reject });
        pumping ??= pump();
      });
    },
    async drained() {
      await pumping;
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** At least one request, then as many as fit. */
function batchSize(waiting: readonly Request[], { requestsMax, bytesMax }: BatchLimits): number {
  let bytes = 0;
  const end = waiting.findIndex((request, index) => {
    bytes += request.bytes;
    return index > 0 && (bytes > bytesMax || index >= requestsMax);
  });
  return end === -1 ? waiting.length : end;
}

async function storeBatch(batch: readonly Request[], send: SendBatch): Promise<void> {
  try {
    const answerTo = await send(batch.map(({ parts }) => parts));
    for (const [index, request] of batch.entries()) {
      const answer = answerTo(index);
      if (answer instanceof Error) request.reject(answer);
      else request.resolve(answer);
    }
  } catch (error) {
    for (const request of batch) request.reject(error);
  }
}
