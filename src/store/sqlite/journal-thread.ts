// Starts and ends a thread of the journal. What it does in between is up to worker-link.ts.

import { Worker } from 'node:worker_threads';
import type { Answer, Call } from './thread-messages.ts';
import { workerFile } from './worker-file.ts';

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
