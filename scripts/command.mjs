// Runs a command for a script: quiet when it succeeds, its whole output in the failure when it does not.
import { spawn } from 'node:child_process';

/** Resolves to { ok, output }; never rejects. */
export function runQuietly(command, args, { cwd, env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code, signal) => {
      const ending = signal ? `\nended by ${signal}` : '';
      resolve({ ok: code === 0, output: Buffer.concat(chunks).toString('utf8').trimEnd() + ending });
    });
  });
}
