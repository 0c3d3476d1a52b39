// Who answers reads. A thread takes as long to start as all else that an open journal needs, so at first the thread that writes
// answers them too. A little later there is a thread that only reads, so that a long read never delays a commit.

import type { ReaderOps, WriterThreadOps } from './thread-messages.ts';
import { startWorker, type WorkerLink } from './worker-link.ts';

export interface Reading {
  thread(): WorkerLink<ReaderOps>;
  /** Before that of whoever writes. */
  close(): Promise<void>;
}

/** By then a daemon has read what it needs to serve. */
const afterMs = 2_000;

export function startReader(path: string): Promise<WorkerLink<ReaderOps>> {
  return startWorker<ReaderOps>({ role: 'reader', path, bytesMax: null });
}

export function readAlone(reader: WorkerLink<ReaderOps>): Reading {
  return { thread: () => reader, close: () => reader.close() };
}

export function readBeside(path: string, writer: WorkerLink<WriterThreadOps>): Reading {
  let own: WorkerLink<ReaderOps> | null = null;
  let starting = Promise.resolve();
  const start = async (): Promise<void> => {
    try {
      own = await startReader(path);
      // After the reads that it has been asked for already.
      await writer.call('stopReading');
    } catch {
      // Where another thread cannot be had, the first goes on; what is wrong with the journal, every read says itself.
    }
  };
  const timer = setTimeout(() => {
    starting = start();
  }, afterMs);
  timer.unref();
  return {
    thread: () => own ?? writer,
    async close() {
      clearTimeout(timer);
      await starting;
      await own?.close();
    },
  };
}
