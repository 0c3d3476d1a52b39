// The built CLI as a process of its own.

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { until } from '../../until.ts';

export const mainFile = resolve(import.meta.dirname, '../../../dist/main.cjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  output(): string;
  /** Waits until its output holds this text. */
  says(text: string): Promise<unknown>;
}

const slowMs = 30_000;

/** The CLI as a process, to its end. */
export function runInOwnProcess(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  return startCli(args, cwd, env).ended;
}

export function startCli(args: readonly string[], cwd: string, env: Record<string, string>): Started {
  const child = spawn(process.execPath, [mainFile, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<Ended>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
  const output = (): string => stdout + stderr;
  return {
    pid: child.pid ?? 0,
    ended,
    output,
    says: (text) => until(() => output().includes(text), { timeoutMs: slowMs, what: `"${text}" in: ${output()}` }),
  };
}
