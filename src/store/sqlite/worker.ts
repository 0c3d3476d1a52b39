// The program of a journal thread: opens its connection, then answers calls one by one. It decides nothing; what it
// runs is in writer.ts and reader.ts.

import { parentPort } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { AssertionFailed, must } from '../../std/assert.ts';
import type { FaultCode } from '../../std/fault.ts';
import { storeFault } from './faults.ts';
import { openReader } from './reader.ts';
import type { Answer, Call, SentFault, WorkerSpec } from './thread-messages.ts';
import { openWriter } from './writer.ts';

interface Served {
  readonly ops: Record<string, (...args: never[]) => unknown>;
  close(): void;
}

const port = must(parentPort, 'worker.ts runs as a worker thread');
let spec: WorkerSpec | null = null;
let served: Served | null = null;
/** What reads in the thread that writes, as long as no other does. */
let reading: Served | null = null;

port.on('message', ({ id, op, args }: Call) => {
  let answer: Answer;
  try {
    answer = { id, value: run(op, args) };
  } catch (error) {
    answer = { id, fault: sendable(error) };
  }
  port.postMessage(answer);
});

function run(op: string, args: readonly unknown[]): unknown {
  // Loads the library early.
  if (op === 'load') return typeof DatabaseSync;
  if (op === 'open') {
    const { role, path, bytesMax } = (spec = args[0] as WorkerSpec);
    served = role === 'writer' ? openWriter(path, bytesMax, sendable) : openReader(path);
    return null;
  }
  const { ops, close } = must(served, 'open is the first call');
  if (op === 'close' || op === 'stopReading') {
    reading?.close();
    reading = null;
    return op === 'close' ? close() : null;
  }
  // The link's types pair every op with its arguments; across the border that is taken on trust.
  return must(ops[op] ?? readingOps()[op], `no operation ${op}`)(...(args as never[]));
}

function readingOps(): Served['ops'] {
  reading ??= openReader(must(spec, 'open is the first call').path);
  return reading.ops;
}

function sendable(error: unknown): SentFault {
  const fault = storeFault(error, `journal ${spec?.path ?? ''}`);
  const code: FaultCode | null = fault instanceof AssertionFailed ? null : fault.code;
  const cause = fault.cause instanceof Error ? (fault.cause.stack ?? fault.cause.message) : null;
  return { kind: 'fault', code, message: fault.message, cause };
}
