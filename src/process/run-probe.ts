// Runs a command to see what it prints: an environment made from nothing, limited time, no shell.

import { execFile } from 'node:child_process';

export type Probe =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string };

const probeMaxMs = 10_000;

export function probe(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  timeout: number = probeMaxMs,
): Promise<Probe> {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout, killSignal: 'SIGKILL', cwd: '/' }, (error, stdout, stderr) => {
      if (error === null) return resolve({ kind: 'said', text: stdout.trim() });
      if (error.code === 'ENOENT') return resolve({ kind: 'absent' });
      const why = error.killed === true ? `no answer within ${timeout / 1000} s` : stderr.trim() || error.message;
      resolve({ kind: 'failed', why: why.split('\n')[0] ?? '' });
    });
  });
}
