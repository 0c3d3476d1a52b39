// The journal in one SQLite file. The driver is synchronous, so it runs in threads: one writes, one reads, one is
// started for each verification. Nothing here touches the database itself.

import type { Worker } from 'node:worker_threads';
import type { Journal } from '../../ports/journal.ts';
import { must } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { checkAppend, checkRead, checkSnapshot } from '../journal-limits.ts';
import { createAppendQueue } from './append-queue.ts';
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts';
import { flatten, type ReaderOps, type WriterThreadOps } from './thread-messages.ts';
import { received, startWorker, type WorkerLink } from './worker-link.ts';

export interface SqliteJournalOptions {
  /** The database file, made if missing; its folder must exist. `<path>.lock` beside it is the owner's lock. */
  readonly path: string;
  /** For tools that read while a daemon writes: takes no lock, and refuses writes with `read_only`. */
  readonly readOnly?: boolean;
  /** A cap on the size of the file; an append beyond it is a Fault `disk_full`. */
  readonly bytesMax?: number;
  /**
   * A thread for the writer that was started earlier, because starting one takes longer than all else here. If opening
   * fails, its starter has to end it.
   */
  readonly thread?: Worker | undefined;
}

export async function openSqliteJournal(options: SqliteJournalOptions): Promise<Journal> {
  const { path, readOnly = false, bytesMax = null, thread } = options;
  const lock = readOnly ? null : takeOwnerLock(`${path}.lock`);
  try {
    if (readOnly) return journalOver(path, readAlone(await startReader(path)), null, null);
    const writer = await startWorker<WriterThreadOps>({ role: 'writer', path, bytesMax }, thread);
    return journalOver(path, readBeside(path, writer), writer, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function journalOver(
  path: string,
  reading: Reading,
  writer: WorkerLink<WriterThreadOps> | null,
  lock: OwnerLock | null,
): Journal {
  let closing: Promise<void> | null = null;
  const checkOpen = (): void => {
    if (closing !== null) throw new Fault('store_closed', `the journal ${path} is closed`);
  };
  const writable = (): WorkerLink<WriterThreadOps> => {
    checkOpen();
    if (writer === null) throw new Fault('read_only', `the journal ${path} is open for reading only`);
    return writer;
  };
  const queue = createAppendQueue(async (requests) => {
    const refused = await must(writer, 'only a journal with a writer queues').call('append', flatten(requests));
    return (index) => {
      const answer = refused.get(index) ?? { kind: 'appended' };
      return answer.kind === 'fault' ? received(answer) : answer;
    };
  });
  const close = async (): Promise<void> => {
    await queue.drained();
    try {
      // The writer last: the last connection folds the WAL into the file, and the reader may not.
      await reading.close();
    } finally {
      await writer?.close().finally(() => lock?.release());
    }
  };

  return {
    async append(parts) {
      writable();
      return queue.append(parts, checkAppend(parts));
    },
    async read(stream, after, limit) {
      checkOpen();
      checkRead(after, limit);
      return reading.thread().call('read', stream, after, limit);
    },
    async heads(filter) {
      checkOpen();
      return reading.thread().call('heads', filter);
    },
    async head(stream) {
      checkOpen();
      return reading.thread().call('head', stream);
    },
    async saveSnapshot(snapshot) {
      const thread = writable();
      checkSnapshot(snapshot);
      await thread.call('saveSnapshot', snapshot);
    },
    async loadSnapshot(stream) {
      checkOpen();
      return reading.thread().call('loadSnapshot', stream);
    },
    async verify(stream) {
      checkOpen();
      const thread = await startReader(path);
      try {
        return await thread.call('verify', stream ?? null);
      } finally {
        await thread.close();
      }
    },
    close: () => (closing ??= close()),
  };
}

/**
 * Which thread answers reads. A thread takes as long to start as everything else an open journal needs, so at first the writer's
 * thread answers. A little later there is a thread that only reads, so that a long read never delays a commit.
 */
interface Reading {
  thread(): WorkerLink<ReaderOps>;
  /** Called before the writer's thread is closed. */
  close(): Promise<void>;
}

/** By then a daemon has read what it needs to begin serving. */
const afterMs = 2_000;

function startReader(path: string): Promise<WorkerLink<ReaderOps>> {
  return startWorker<ReaderOps>({ role: 'reader', path, bytesMax: null });
}

function readAlone(reader: WorkerLink<ReaderOps>): Reading {
  return { thread: () => reader, close: () => reader.close() };
}

function readBeside(path: string, writer: WorkerLink<WriterThreadOps>): Reading {
  let own: WorkerLink<ReaderOps> | null = null;
  let starting = Promise.resolve();
  const start = async (): Promise<void> => {
    try {
      own = await startReader(path);
      // It finishes the reads that it was asked for before.
      await writer.call('stopReading');
    } catch {
      // Without a second thread the writer's goes on reading; every read reports by itself what is wrong with the journal.
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
