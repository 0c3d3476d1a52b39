// Starts and ends a thread of the journal. The calls in between are in worker-link.ts.

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { builtFile } from '../../std/built-file.ts';
import { Fault } from '../../std/fault.ts';
import type { Answer, Call } from './thread-messages.ts';

/** Keeps no process alive by itself. It loads the database's library at once; whether that works, `open` says. */
export function startThread(): Worker {
  const thread = new Worker(workerFile(), { execArgv: [] });
  thread.unref();
  thread.postMessage({ id: 0, op: 'load', args: [] } satisfies Call);
  return thread;
}

/** Waits for an answer first: a thread that is ended while it loads the library takes the process with it. */
export async function endThread(thread: Worker): Promise<void> {
  if (thread.threadId === -1) return;
  thread.ref();
  await new Promise<void>((resolve) => {
    thread.once('message', (_: Answer) => resolve());
    thread.once('exit', () => resolve());
    thread.once('error', () => resolve());
    thread.postMessage({ id: 0, op: 'close', args: [] } satisfies Call);
  });
  await thread.terminate();
}

function workerFile(): string {
  const file = builtFile('store/sqlite/worker.cjs');
  if (!existsSync(file)) throw new Fault('store_failed', `${file} is missing: build first`);
  return file;
}
