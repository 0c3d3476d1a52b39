// `signalbox logs`: what agents said, launch after launch, over the death of the daemon.

import { setTimeout as delay } from 'node:timers/promises';
import { createLineSplitter } from '../std/lines.ts';
import { farewellTrailer, launchHeader, type RunView, runView, type TaskView } from '../wire/views.ts';
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

export const logs: Verb<LogsOptions> = async (context, [word = ''], { follow, json }) => {
  const { client, terminal } = context;
  const { runId, taskId } = await find(context, word);
  const run = await client.get(`/runs/${runId}`, runView);
  const leave = new AbortController();
  process.once('SIGINT', () => leave.abort());
  const wanted = taskId === null ? run.tasks : run.tasks.filter((task) => task.id === taskId);
  const show = async (task: TaskView): Promise<void> => {
    const prefix = wanted.length > 1 ? `${task.name} | ` : '';
    const print = async (line: string): Promise<void> => {
      const shown = json === true ? line : showLine(line);
      if (shown === null) return;
      const text =
        json === true
          ? shown
          : shown
              .split('\n')
              .map((each) => prefix + each)
              .join('\n');
      await terminal.print(`${text}\n`);
    };
    await copyTask(context, runId, task.id, { follow: follow === true, signal: leave.signal, print });
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
  print(line: string): Promise<void>;
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
  { follow, signal, print }: CopyOptions,
): Promise<void> {
  const path = `/tasks/${taskId}/log?launch=${launch}&after=${place.at}&follow=${follow ? 1 : 0}`;
  const response = await client.open(path, signal);
  if (response.headers[launchHeader] !== launch) throw new DaemonGone('the answer is about another launch');
  const splitter = createLineSplitter(place.at);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      for (const { text, end } of splitter.push(chunk)) {
        await print(text);
        place.at = end;
      }
    }
  } catch (error) {
    throw gone(error);
  }
  if (response.trailers[farewellTrailer] !== undefined) throw downFault();
}

function taskOf(run: RunView, taskId: string): TaskView {
  const task = run.tasks.find((each) => each.id === taskId);
  if (task === undefined) throw new Error(`the daemon no longer knows task ${taskId}`);
  return task;
}
