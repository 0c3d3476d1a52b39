// `signalbox logs`: prints transcripts, launch by launch. Survives a restart of the daemon.

import type { Line } from '../../../std/lines.ts';
import { escapedJson, plainText } from '../../../std/plain-text.ts';
import { runView, type TaskView } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { copyTask, tooLong } from '../../client/copy-transcripts.ts';
import { findOrNewest } from '../../client/find-id.ts';
import { showLine } from '../../client/transcript-text.ts';
import { printCheck } from './check-log.ts';

export interface LogsOptions {
  readonly follow?: boolean;
  readonly check?: string;
  readonly json?: boolean;
}

export const logs: Verb<LogsOptions> = async (context, [word], { follow, check, json }) => {
  if (check !== undefined) return printCheck(context, word, { check, raw: json === true });
  const { client, terminal } = context;
  const { runId, taskId } = await findOrNewest(context, word);
  const run = await client.get(`/runs/${runId}`, runView);
  const leave = new AbortController();
  process.once('SIGINT', () => leave.abort());
  /** The shown text omits tool inputs and results, so say where the full transcript is. */
  const named = (launch: string, file: string): void => {
    if (json === true) return;
    terminal.note(`[full transcript: ${file}; stderr is beside it]`);
    const [, task = '', n = '1'] = /^launch_(\w+)-(\d+)-1$/.exec(launch) ?? [];
    if (n !== '1') terminal.note(`[earlier attempts: ${file.replace(launch, `launch_${task}-*`)}]`);
  };
  const wanted = taskId === null ? run.tasks : run.tasks.filter((task) => task.id === taskId);
  const raw = !process.stdout.isTTY;
  const show = async (task: TaskView): Promise<void> => {
    const prefix = wanted.length > 1 ? `${task.name} | ` : '';
    const print = async (line: Line, file: string): Promise<void> => {
      const words = line.flaw === 'oversize' ? tooLong(line, file) : null;
      if (json === true)
        return words === null ? terminal.print(`${raw ? line.text : jsonLine(line.text)}\n`) : terminal.note(words);
      const shown = words ?? showLine(line.text);
      if (shown === null) return;
      const lines = shown.split('\n').map((each) => prefix + each);
      await terminal.print(`${lines.join('\n')}\n`);
    };
    const options = { follow: follow === true, signal: leave.signal, begin: named, print };
    // Byte for byte, unless several transcripts are interleaved line by line or a terminal would obey them.
    const whole = json === true && raw && (follow !== true || wanted.length === 1);
    await copyTask(context, runId, task.id, whole ? { ...options, copy: terminal.print } : options);
  };
  try {
    // Follow all at once; otherwise print one after the other.
    if (follow === true) await Promise.all(wanted.map(show));
    else for (const task of wanted) await show(task);
  } catch (error) {
    if (leave.signal.aborted) return exits.detached;
    throw error;
  }
  return exits.ok;
};

/** A line of a transcript for a terminal: JSON parses to the same value. */
function jsonLine(line: string): string {
  return line.startsWith('{') ? escapedJson(line) : plainText(line);
}
