// `signalbox logs`: what agents said, launch after launch, over the death of the daemon.

import { setTimeout as delay } from 'node:timers/promises';
import { createLineSplitter, type Line } from '../std/lines.ts';
import {
  farewellTrailer,
  launchHeader,
  type RunView,
  runView,
  type TaskView,
  transcriptHeader,
} from '../wire/views.ts';
import { DaemonGone, gone } from './client.ts';
import { type Context, exits, type Verb } from './context.ts';
import { find } from './find.ts';
import { downFault, noteBreak, sayReturn } from './follow.ts';
import { showLine } from './transcript.ts';

export interface LogsOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
}

const pollMs = 200;
const newline = 0x0a;

export const logs: Verb<LogsOptions> = async (context, [word = ''], { follow, json }) => {
  const { client, terminal } = context;
  const { runId, taskId } = await find(context, word);
  const run = await client.get(`/runs/${runId}`, runView);
  const leave = new AbortController();
  process.once('SIGINT', () => leave.abort());
  /** What is shown leaves out what tools were given and gave back: it says where that is. */
  const named = (launch: string, file: string): void => {
    if (json === true) return;
    terminal.note(`[the whole of it: ${file}; its stderr is beside it]`);
    const [, task = '', n = '1'] = /^launch_(\w+)-(\d+)-1$/.exec(launch) ?? [];
    if (n !== '1') terminal.note(`[earlier attempts: ${file.replace(launch, `launch_${task}-*`)}]`);
  };
  const wanted = taskId === null ? run.tasks : run.tasks.filter((task) => task.id === taskId);
  const show = async (task: TaskView): Promise<void> => {
    const prefix = wanted.length > 1 ? `${task.name} | ` : '';
    const print = async (line: Line, file: string): Promise<void> => {
      const words = line.flaw === 'oversize' ? tooLong(line, file) : null;
      if (json === true) return words === null ? terminal.print(`${line.text}\n`) : terminal.note(words);
      const shown = words ?? showLine(line.text);
      if (shown === null) return;
      const lines = shown.split('\n').map((each) => prefix + each);
      await terminal.print(`${lines.join('\n')}\n`);
    };
    const options = { follow: follow === true, signal: leave.signal, begin: named, print };
    // Byte for byte, unless several transcripts are told together, line by line.
    const raw = json === true && (follow !== true || wanted.length === 1);
    await copyTask(context, runId, task.id, raw ? { ...options, copy: terminal.print } : options);
  };
  try {
    // Followed together, but otherwise one after the other, so that each can be read.
    if (follow === true) await Promise.all(wanted.map(show));
    else for (const task of wanted) await show(task);
  } catch (error) {
    if (leave.signal.aborted) return exits.detached;
    throw error;
  }
  return exits.ok;
};

interface CopyOptions {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** A launch whose transcript is about to be shown, and the file that it is in. */
  begin(launch: string, file: string): void;
  print(line: Line, file: string): Promise<void>;
  /** Takes the bytes as they are, instead of `print`. */
  readonly copy?: (bytes: Uint8Array) => Promise<void>;
}

/** All launches of the task's newest attempt; with `follow` also those that come, until the task has its outcome. */
async function copyTask(
  { client, terminal }: Context,
  runId: string,
  taskId: string,
  options: CopyOptions,
): Promise<void> {
  const done = new Set<string>();
  const breaks: number[] = [];
  const onReturn = sayReturn(terminal.note);
  const progress = new Map<string, { at: number }>();
  for (;;) {
    const task = taskOf(await client.get(`/runs/${runId}`, runView), taskId);
    const launch = task.attempt?.launches.find((id) => !done.has(id));
    if (launch === undefined) {
      if (!options.follow || task.outcome !== null) return;
      await delay(pollMs, undefined, { signal: options.signal });
      continue;
    }
    const place = progress.get(launch) ?? { at: 0 };
    progress.set(launch, place);
    try {
      await copyLaunch(client, taskId, launch, place, options);
      done.add(launch);
    } catch (error) {
      if (!(error instanceof DaemonGone)) throw error;
      noteBreak(breaks);
      onReturn(await client.ensure());
    }
  }
}

async function copyLaunch(
  client: Context['client'],
  taskId: string,
  launch: string,
  place: { at: number },
  { follow, signal, begin, print, copy }: CopyOptions,
): Promise<void> {
  const path = `/tasks/${taskId}/log?launch=${launch}&after=${place.at}&follow=${follow ? 1 : 0}`;
  const response = await client.open(path, signal);
  if (response.headers[launchHeader] !== launch) throw new DaemonGone('the answer is about another launch');
  const file = decodeURIComponent(String(response.headers[transcriptHeader] ?? launch));
  if (place.at === 0) begin(launch, file);
  const splitter = createLineSplitter(place.at);
  let last: number | undefined = newline;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (copy !== undefined) {
        await copy(chunk);
        place.at += chunk.length;
        last = chunk.at(-1);
        continue;
      }
      for (const line of splitter.push(chunk)) {
        await print(line, file);
        place.at = line.end;
      }
    }
  } catch (error) {
    throw gone(error);
  }
  if (response.trailers[farewellTrailer] !== undefined) throw downFault();
  // A process that died in the middle of a line; the next one begins a line of its own.
  if (copy !== undefined && last !== newline) await copy(Buffer.of(newline));
}

function tooLong({ start, end }: Line, file: string): string {
  return `[a line of ${end - start - 1} bytes is not shown; it is in ${file} from byte ${start} on]`;
}

function taskOf(run: RunView, taskId: string): TaskView {
  const task = run.tasks.find((each) => each.id === taskId);
  if (task === undefined) throw new Error(`the daemon no longer knows task ${taskId}`);
  return task;
}
