// Results of checks: each a file that is complete or absent, with what was asked and how every run ended, and beside it
// a log of what the runs printed. A log is never rewritten, because evidence names it.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault, readIfThere, syncDirectory, writeAtomic } from '../../std/files.ts';
import type { CheckQuestion } from './check-key.ts';

export interface CheckResult extends CheckQuestion {
  readonly key: string;
  /** In order, at least one. */
  readonly runs: readonly CheckRun[];
  /** The name of the log file of these runs. */
  readonly log: string;
}

export interface CheckRun {
  readonly passed: boolean;
  /** How it ended, in a few words. */
  readonly outcome: string;
  /** The line that names its failure; empty where it passed or printed nothing. */
  readonly said: string;
  /** What a failed one printed around its failure and at its end, without banners; bounded. */
  readonly printed: string;
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
}

/** null: there is no readable result. */
export async function readResult(folder: string, key: string): Promise<CheckResult | null> {
  const text = await readIfThere(resultPath(folder, key));
  if (text === null) return null;
  try {
    const result = JSON.parse(text) as CheckResult;
    if (result.key !== key || !isLogName(result.log) || result.runs.length === 0) return null;
    // A result that is read is kept longer.
    const now = new Date();
    await utimes(resultPath(folder, key), now, now).catch(() => undefined);
    return result;
  } catch {
    return null;
  }
}

export async function writeResult(folder: string, result: CheckResult): Promise<void> {
  await writeAtomic(resultPath(folder, result.key), `${JSON.stringify(result, null, 2)}\n`);
}

export interface OpenLog {
  readonly name: string;
  /** Makes it durable. */
  finish(content: Buffer): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
}

/** Created before anything is run: without disk space for a result, a run is not worth its time. */
export async function openLog(folder: string, key: string): Promise<OpenLog> {
  const name = `${key}.${randomBytes(4).toString('hex')}.log`;
  const path = join(folder, name);
  const inPlace = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw diskFault(error, path);
    }
  };
  const file: FileHandle = await inPlace(() => open(path, 'wx', 0o600));
  return {
    name,
    finish: (content) =>
      inPlace(async () => {
        try {
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        await syncDirectory(folder);
      }),
    async discard() {
      await file.close().catch(() => undefined);
      await unlink(path).catch(() => undefined);
    },
  };
}

/** The output of an earlier run; empty where it is gone. */
export async function readLog(folder: string, name: string): Promise<Buffer> {
  return readFile(join(folder, name)).catch(() => Buffer.alloc(0));
}

export async function removeLog(folder: string, name: string): Promise<void> {
  await unlink(join(folder, name)).catch(() => undefined);
}

/** The path of this log; null: it is not the name of a log. */
export function checkLogPath(root: string, name: string): string | null {
  return isLogName(name) ? join(root, 'checks', name) : null;
}

/** Whether it can be the name of a log, and nothing but that. */
function isLogName(name: unknown): boolean {
  return typeof name === 'string' && /^[0-9a-f]{64}\.[0-9a-f]{8}\.log$/.test(name);
}

function resultPath(folder: string, key: string): string {
  return join(folder, `${key}.json`);
}
