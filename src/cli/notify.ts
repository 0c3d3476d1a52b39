// Calls a person: the bell of the terminal, a notification of the desktop, or a command of theirs. Each thing once, also
// when several terminals watch: whoever claims it first in the home tells it.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../std/files.ts';
import type { RunView } from '../wire/views.ts';
import type { Context } from './context.ts';
import { type Notice, noticesOf } from './notices.ts';

export interface Notifier {
  /** What was so before anybody watched is no news, except what still waits for an answer. */
  know(runs: readonly RunView[]): void;
  see(runs: readonly RunView[]): void;
  /** Resolves when everybody was called. */
  done(): Promise<void>;
}

/** The end of a run that was as short as this finds its person still there. */
const shortMs = 10_000;
const commandMaxMs = 10_000;
/** Until somebody does something, or was told. */
const waits: ReadonlySet<Notice['kind']> = new Set(['asks', 'budget', 'limit']);

export function createNotifier({ place, terminal }: Pick<Context, 'place' | 'terminal'>): Notifier {
  const known = new Set<string>();
  const { bell, desktop, command } = place.notify;
  let swept = false;
  const calling = new Set<Promise<void>>();
  let complained = false;
  const call = (argv: readonly string[], input: string, isOwn: boolean): void => {
    const ended = run(argv, input, place.userEnv).then((flaw) => {
      // A desktop without such a program is no trouble; a command of the user's that fails is.
      if (flaw === null || !isOwn || complained) return;
      complained = true;
      terminal.note(`SIGNALBOX_NOTIFY: the command ${flaw}`);
    });
    calling.add(ended);
    void ended.finally(() => calling.delete(ended));
  };
  const tell = (notice: Notice): void => {
    if (command !== null) call(['sh', '-c', command], `${JSON.stringify(notice)}\n`, true);
    if (notice.kind === 'ended' && notice.tookMs < shortMs) return;
    if (bell) terminal.ring();
    if (desktop && terminal.isWatched) call(desktopArgv(notice), '', false);
  };
  return {
    know(runs) {
      for (const notice of noticesIn(runs)) if (!waits.has(notice.kind)) known.add(notice.key);
    },
    see(runs) {
      if (!bell && !desktop && command === null) return;
      for (const notice of noticesIn(runs)) {
        if (known.has(notice.key)) continue;
        known.add(notice.key);
        if (!swept) sweep(join(place.home, notifiedName), Date.now());
        swept = true;
        if (claim(place.home, notice.key)) tell(notice);
      }
    },
    async done() {
      await Promise.all(calling);
    },
  };
}

function noticesIn(runs: readonly RunView[]): Notice[] {
  return runs.flatMap((run) => noticesOf(run, Date.now()));
}

const notifiedName = 'notified';
const keptMs = 30 * 24 * 3_600_000;

/** What was told a month ago is forgotten. */
function sweep(directory: string, now: number): void {
  try {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (now - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true });
    }
  } catch {
    // Not there yet, or another program sweeps too.
  }
}

/** true: nobody told it before. Where nothing can be written it is told rather than kept quiet. */
function claim(home: string, key: string): boolean {
  const directory = join(home, notifiedName);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, createHash('sha256').update(key).digest('hex').slice(0, 32)), '', { flag: 'wx' });
    return true;
  } catch (error) {
    return errnoOf(error) !== 'EEXIST';
  }
}

/** Words of agents are arguments, never text of a program. */
export function desktopArgv({ run: name, task, words }: Notice, platform: string = process.platform): string[] {
  const title = `signalbox: ${task === null ? name : `${name}/${task}`}`;
  if (platform === 'darwin') {
    const script = 'display notification (item 2 of argv) with title (item 1 of argv)';
    return ['osascript', '-e', 'on run argv', '-e', script, '-e', 'end run', '--', title, words];
  }
  // Bodies of notifications may hold markup.
  const body = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['notify-send', '--app-name=signalbox', '--', title, body];
}

/** null: it went well. */
function run(
  [command = '', ...args]: readonly string[],
  input: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const late = setTimeout(() => {
      // With all that it started.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, commandMaxMs);
    child.once('error', (error) => {
      clearTimeout(late);
      resolve(`could not be started: ${error.message}`);
    });
    child.once('close', (status, signal) => {
      clearTimeout(late);
      resolve(status === 0 ? null : signal === null ? `ended with ${status}` : `was ended by ${signal}`);
    });
    // A command that does not read is none that failed.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
