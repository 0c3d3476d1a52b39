// Commands that the scripted agent runs: to their end, or in the background while its turns continue.

import { type ChildProcess, spawn } from 'node:child_process';
import { shellQuote } from '../../../std/shell-quote.ts';
import { textIn } from '../../stream-json/untrusted-json.ts';
import { failed, type Stage } from '../agent/stage.ts';
import { type Done, useTool } from './tool-steps.ts';

const shownMax = 4_000;
const outputBytesMax = 1024 * 1024;
const identity = "-c user.name='Scripted agent' -c user.email=agent@signalbox.invalid -c commit.gpgsign=false";

/** A status other than 0 fails the turn. Returns its stdout; null = it was denied. */
export async function run(command: string, stage: Stage, ask: boolean): Promise<string | null> {
  let status = 'a signal';
  let printed = '';
  const done = await useTool(stage, {
    name: 'Bash',
    input: { command },
    ask,
    work: async (input) => {
      const { code, output, stdout } = await runToEnd(textIn(input['command']) || command, stage.signal);
      if (code !== null) status = String(code);
      printed = stdout;
      return { text: code === 0 ? output : `Exit code ${status}\n${output}`.trimEnd(), isError: code !== 0 };
    },
  });
  if (done?.isError === true) throw failed(`"${command}" ended with ${status}`);
  return done === null ? null : printed;
}

/** The JSON that a command prints, wrapped: it may be any value. Anything else fails the turn. null = it was denied. */
export async function printedBy(command: string, stage: Stage, ask: boolean): Promise<{ value: unknown } | null> {
  const printed = await run(command, stage, ask);
  if (printed === null) return null;
  try {
    return { value: JSON.parse(printed) };
  } catch (error) {
    throw failed(`"${command}" printed no JSON: ${(error as Error).message}`);
  }
}

/** Commits all changes in the workspace, if there are any. */
export async function commit(message: string, stage: Stage, ask: boolean): Promise<void> {
  const unchanged = 'git diff --cached --quiet';
  await run(`git add -A && { ${unchanged} || git ${identity} commit -q -m ${shellQuote(message)}; }`, stage, ask);
}

/** Its end is reported at once; an agent without a turn then starts one. */
export async function background(command: string, stage: Stage, ask: boolean): Promise<void> {
  const { voice, life } = stage;
  await useTool(stage, {
    name: 'Bash',
    input: { command, run_in_background: true },
    ask,
    work: async (input, id): Promise<Done> => {
      const description = textIn(input['command']) || command;
      const taskId = `b${id.replace(/^toolu_/, '')}`;
      const task = { task_id: taskId, tool_use_id: id };
      const child = spawn('/bin/sh', ['-c', description], { stdio: 'ignore', detached: true });
      const stop = (): void => killAll(child);
      life.background.add(stop);
      voice.system('task_started', { ...task, description, task_type: 'local_bash' });
      child.once('exit', (code) => {
        life.background.delete(stop);
        const status = code === null ? 'killed' : code === 0 ? 'completed' : 'failed';
        voice.system('task_updated', { task_id: taskId, patch: { status } });
        const summary = `Background command "${description}" ${status} (exit code ${code ?? 'none'})`;
        voice.system('task_notification', { ...task, status, summary });
        life.notices += 1;
        stage.ear.ring();
      });
      return {
        text: `Command running in background with ID: ${taskId}.`,
        details: { stdout: '', stderr: '', interrupted: false, backgroundTaskId: taskId },
      };
    },
  });
}

interface Ended {
  /** null = by a signal. */
  readonly code: number | null;
  /** The end of its output. */
  readonly output: string;
  /** Its stdout alone; only the end if there is more than is kept. */
  readonly stdout: string;
}

async function runToEnd(command: string, signal: AbortSignal): Promise<Ended> {
  let kept = Buffer.alloc(0);
  let printed = Buffer.alloc(0);
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const stop = (): void => killAll(child);
  signal.addEventListener('abort', stop, { once: true });
  for (const from of [child.stdout, child.stderr]) {
    from.on('data', (chunk: Buffer) => {
      kept = lastOf(kept, chunk);
      if (from === child.stdout) printed = lastOf(printed, chunk);
    });
  }
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  signal.removeEventListener('abort', stop);
  const output = kept.toString('utf8').trimEnd().slice(-shownMax);
  return { code, output, stdout: printed.toString('utf8') };
}

function lastOf(kept: Buffer, chunk: Buffer): Buffer<ArrayBuffer> {
  const all = Buffer.concat([kept, chunk]);
  return all.length > 2 * outputBytesMax ? all.subarray(-outputBytesMax) : all;
}

/** Kills the command and what it started, as far as that stayed in its process group. */
function killAll({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}
