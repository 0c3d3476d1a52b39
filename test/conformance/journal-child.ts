// Small programs that use the built journal in a process of their own, so that it can be killed or started as
// another user.

import { type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { compiled } from '../compiled.ts';

export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** The lines it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when it has printed a line that matches; fails when it ends without. */
  printed(pattern: RegExp): Promise<string>;
  /** kill -9; resolves when the process is gone and all its output was read. */
  kill(): Promise<void>;
  ended(): Promise<void>;
}

let modules: string | undefined;

function built(file: string): string {
  modules ??= compiled(['store/sqlite/sqlite-journal.ts']);
  return pathToFileURL(join(modules, 'store/sqlite', file)).href;
}

/** Runs `body`, a piece of JavaScript that sees `args`, `print`, `openSqliteJournal` and `takeOwnerLock`. */
export function startChild(body: string, args: readonly string[], options: SpawnOptionsWithoutStdio = {}): Child {
  const program = `
    import { writeSync } from 'node:fs';
    import { openSqliteJournal } from ${JSON.stringify(built('sqlite-journal.js'))};
    import { takeOwnerLock } from ${JSON.stringify(built('owner-lock.js'))};
    const args = process.argv.slice(1);
    const print = (line) => writeSync(1, line + '\\n');
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...args], options);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  const output = createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    wake();
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const over = Promise.all([once(child, 'exit'), once(output, 'close')]);
  let isOver = false;
  const ended = over.then(() => {
    isOver = true;
    wake();
  });
  return {
    process: child,
    lines,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const line = lines.find((candidate) => pattern.test(candidate));
          if (line === undefined && !isOver) return;
          waiting.delete(look);
          if (line !== undefined) resolve(line);
          else reject(new Error(`the child ended without printing ${pattern}: ${errors}`));
        };
        waiting.add(look);
        look();
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    ended: () => ended,
  };
}
