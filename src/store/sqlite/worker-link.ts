// One worker thread and the calls that are open in it. It never retries: a thread that died fails every call, and its
// owner decides.

import type { Worker } from 'node:worker_threads';
import { AssertionFailed } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { endThread, startThread } from './journal-thread.ts';
import type { Answer, SentFault, WorkerSpec } from './thread-messages.ts';

type Ops<T> = { [K in keyof T]: (...args: never[]) => unknown };

export interface WorkerLink<T extends Ops<T>> {
  call<K extends keyof T & string>(op: K, ...args: Parameters<T[K]>): Promise<ReturnType<T[K]>>;
  /** Lets calls under way finish, closes the connection, ends the thread. */
  close(): Promise<void>;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Resolves once the thread, a new one or one that was started ahead, has its connection open. */
export async function startWorker<T extends Ops<T>>(
  spec: WorkerSpec,
  worker: Worker = startThread(),
): Promise<WorkerLink<T>> {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let dead: Fault | null = null;

  const die = (cause: unknown): void => {
    dead ??= new Fault('store_failed', `the journal's ${spec.role} thread ended`, { cause });
    for (const { reject } of pending.values()) reject(dead);
    pending.clear();
  };
  const call = (op: string, args: readonly unknown[]): Promise<unknown> => {
    if (dead !== null) return Promise.reject(dead);
    const id = ++lastId;
    // Only work under way keeps the process alive: a forgotten journal must not.
    if (pending.size === 0) worker.ref();
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      worker.postMessage({ id, op, args });
    });
  };

  worker.on('message', (answer: Answer) => {
    const waiting = pending.get(answer.id);
    pending.delete(answer.id);
    if (pending.size === 0) worker.unref();
    if ('fault' in answer) waiting?.reject(received(answer.fault));
    else waiting?.resolve(answer.value);
  });
  worker.on('error', die);
  worker.on('exit', (status) => die(new Error(`exit status ${status}`)));

  try {
    await call('open', [spec]);
  } catch (error) {
    await endThread(worker);
    throw error;
  }
  return {
    // The worker answers each op with that op's result: the one place where the types are taken on trust.
    call: (op, ...args) => call(op, args) as Promise<never>,
    async close() {
      if (dead === null) await call('close', []);
      await worker.terminate();
    },
  };
}

export function received(sent: SentFault): Error {
  if (sent.code === null) return new AssertionFailed(sent.message);
  return new Fault(sent.code, sent.message, sent.cause === null ? {} : { cause: sent.cause });
}
