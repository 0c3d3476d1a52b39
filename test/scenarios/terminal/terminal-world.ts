// The built program on a terminal of its own, and what a person would see there.

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../../until.ts';
import { mainFile, type World } from '../daemon/daemon-world.ts';
import { createScreenModel, type ScreenModel } from './terminal-screen.ts';

export interface Sitting {
  /** What is on the screen, scrolled lines first. */
  shown(): string;
  readonly screen: ScreenModel;
  /** Every byte that came. */
  bytes(): string;
  /** Waits until the screen shows this. */
  shows(text: string | RegExp): Promise<unknown>;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  readonly ended: Promise<number | null>;
}

/** python3 brings the terminal; a machine without it cannot run these tests. */
export const hasPty = spawnSync('python3', ['-c', 'import pty, fcntl']).status === 0;

export interface SitOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

const slowMs = 30_000;

export function sit(world: World, args: readonly string[], options: SitOptions = {}): Sitting {
  return sitAt(world, [process.execPath, mainFile, ...args], options);
}

export function sitAt(world: World, argv: readonly string[], options: SitOptions = {}): Sitting {
  const { columns = 100, rows = 30, env = {}, cwd = world.repo } = options;
  const driver = join(import.meta.dirname, 'terminal-pty.py');
  const child = spawn('python3', [driver, String(rows), String(columns), ...argv], {
    cwd,
    env: { ...world.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const screen = createScreenModel(columns, rows);
  let bytes = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    bytes += chunk;
    screen.feed(chunk);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const order = (...words: (string | number)[]): void => {
    child.stdin.write(`${JSON.stringify(words)}\n`);
  };
  child.stdin.on('error', () => undefined);
  const shown = (): string => screen.lines().join('\n').trimEnd();
  return {
    shown,
    screen,
    bytes: () => bytes,
    shows: (text) =>
      until(() => (typeof text === 'string' ? shown().includes(text) : text.test(shown())), {
        timeoutMs: slowMs,
        what: `${String(text)} on the screen`,
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}; it shows:\n${shown()}`);
      }),
    type: (text) => order('type', text),
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows);
      order('size', newRows, newColumns);
    },
    ended,
  };
}
