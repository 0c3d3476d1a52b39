// Runs one command to its end as a process group of its own, never through a shell. Output is passed on in chunks, so
// the caller decides how much to keep. A process that leaves the group (setsid) is not followed: that is up to the
// confinement.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ChildOrder {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Between asking a command to stop and killing it. 0: killed at once. */
  readonly graceMs: number;
  /** false: too much output; the command is stopped. */
  onOutput(chunk: Buffer, stream: 'stdout' | 'stderr'): boolean;
  /** What it writes to descriptor 3; left out: it has none. */
  onStatus?(chunk: Buffer): void;
}

export type ChildEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly by: string }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'tooMuchOutput' }
  | { readonly kind: 'unstartable'; readonly cause: unknown };

/** Rejects only with the signal's reason, and only after the command has ended. */
export async function runChild(order: ChildOrder, signal: AbortSignal): Promise<ChildEnd> {
  signal.throwIfAborted();
  let child: ChildProcess;
  try {
    child = start(order);
  } catch (cause) {
    return { kind: 'unstartable', cause };
  }
  const end = await ending(child, order, signal);
  signal.throwIfAborted();
  return end;
}

/** How long to wait for output of background processes after the command has ended. */
const drainMaxMs = 1000;
/** What a command can have left in its pipes when it ends. */
const pipesMaxBytes = 2 * 2 ** 20;
/** Longer waits overflow the timer and would fire at once. */
const timerMaxMs = 2 ** 31 - 1;

function start({ argv: [program = '', ...args], cwd, env, input, onStatus }: ChildOrder): ChildProcess {
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const more = onStatus === undefined ? [] : (['pipe'] as const);
  return spawn(program, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe', ...more] });
}

function ending(child: ChildProcess, order: ChildOrder, signal: AbortSignal): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = [];
    let stopped: ChildEnd | null = null;
    const stop = (why: ChildEnd): void => {
      if (stopped !== null) return;
      stopped = why;
      signalGroup(child, order.graceMs === 0 ? 'SIGKILL' : 'SIGTERM');
      timers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), order.graceMs));
    };
    const abort = (): void => stop({ kind: 'signalled', by: 'abort' });
    const finish = (end: ChildEnd): void => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(stopped ?? end);
    };
    signal.addEventListener('abort', abort, { once: true });
    timers.push(setTimeout(() => stop({ kind: 'timedOut' }), Math.min(order.timeoutMs, timerMaxMs)));
    let heardBytes = 0;
    const listen = (from: Readable | null, stream: 'stdout' | 'stderr'): void => {
      from?.on('data', (chunk: Buffer) => {
        heardBytes += chunk.length;
        if (stopped === null && !order.onOutput(chunk, stream)) stop({ kind: 'tooMuchOutput' });
      });
    };
    // Its exit may be reported before its output, and this process may have been busy since: read the pipes first, at
    // each turn of the loop, until a turn brings nothing more.
    const drain = (from: number, before = -1): void => {
      const over = heardBytes === before || heardBytes - from > pipesMaxBytes;
      if (over) for (const pipe of [child.stdout, child.stderr, statusOf(child)]) pipe?.destroy();
      else setImmediate(drain, from, heardBytes);
    };
    listen(child.stdout, 'stdout');
    listen(child.stderr, 'stderr');
    statusOf(child)?.on('data', (chunk: Buffer) => order.onStatus?.(chunk));
    child.once('error', (cause) => finish({ kind: 'unstartable', cause }));
    child.once('exit', () => {
      // Its background processes are killed with it.
      signalGroup(child, 'SIGKILL');
      timers.push(setTimeout(() => drain(heardBytes), drainMaxMs));
    });
    child.once('close', (code: number | null, by: string | null) =>
      finish(code === null ? { kind: 'signalled', by: by ?? 'a signal' } : { kind: 'exited', code }),
    );
    // A command need not read all its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(order.input);
  });
}

function statusOf(child: ChildProcess): Readable | null {
  return (child.stdio[3] as Readable | null | undefined) ?? null;
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // The process group is empty.
  }
}
