// Carries out one step of a script. Everything that waits can be interrupted through the signal, except a hang.

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptUsage, Step } from './script.ts';

/** How a turn ends before its script does. */
export class TurnFailed extends Error {
  override readonly name = 'TurnFailed';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Stage {
  say(text: string): void;
  use(usage: ScriptUsage): void;
  /** From now on neither words nor TERM end this process. */
  goDeaf(): void;
  readonly signal: AbortSignal;
}

const pollMs = 20;
const shownMax = 4_000;

export async function act(step: Step, stage: Stage): Promise<void> {
  const { signal } = stage;
  switch (step.kind) {
    case 'say':
      return stage.say(step.text);
    case 'write':
    case 'append': {
      const path = resolve(step.path);
      mkdirSync(dirname(path), { recursive: true });
      return step.kind === 'write' ? writeFileSync(path, step.text) : appendFileSync(path, step.text);
    }
    case 'run':
      return run(step.command, stage);
    case 'wait':
      await delay(step.ms, undefined, { signal });
      return;
    case 'waitFor':
      while (!existsSync(resolve(step.path))) await delay(pollMs, undefined, { signal });
      return;
    case 'usage':
      return stage.use(step.usage);
    case 'fail':
      throw new TurnFailed(step.reason, `the script says: ${step.reason}`);
    case 'exit':
      process.exit(step.code);
      return;
    case 'crash':
      process.kill(process.pid, step.signal as NodeJS.Signals);
      // A signal takes a moment to arrive.
      return hang();
    case 'hang':
      return hang();
    case 'deaf':
      return stage.goDeaf();
  }
}

/** Never ends and hears nothing; the timer keeps the process there. */
function hang(): Promise<void> {
  return new Promise(() => setInterval(() => undefined, 1 << 30));
}

async function run(command: string, stage: Stage): Promise<void> {
  const chunks: Buffer[] = [];
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill('SIGKILL');
  stage.signal.addEventListener('abort', stop, { once: true });
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  stage.signal.removeEventListener('abort', stop);
  stage.signal.throwIfAborted();
  const output = Buffer.concat(chunks).toString('utf8').trimEnd();
  stage.say(`$ ${command}${output === '' ? '' : `\n${output.slice(-shownMax)}`}`);
  if (code !== 0) throw new TurnFailed('command', `"${command}" ended with ${code ?? 'a signal'}`);
}
