// Copies the transcripts of a task's newest attempt, launch by launch. Survives a restart of the daemon.

import { setTimeout as delay } from 'node:timers/promises';
import { createLineSplitter, type Line } from '../../std/lines.ts';
import { farewellTrailer, launchHeader, transcriptHeader } from '../../wire/transcript-headers.ts';
import { type RunView, runView, type TaskView } from '../../wire/views.ts';
import { DaemonGone, gone } from './client.ts';
import type { Context } from './context.ts';
import { downFault, noteBreak, sayReturn } from './follow-events.ts';

const pollMs = 200;
const newline = 0x0a;

export interface CopyOptions {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Called before the transcript of a launch, with its file. */
  begin(launch: string, file: string): void;
  print(line: Line, file: string): Promise<void>;
  /** Receives the raw bytes instead of `print`. */
  readonly copy?: (bytes: Uint8Array) => Promise<void>;
  /** How far each launch has been copied; continues from there. */
  readonly places?: Map<string, { at: number }>;
}

/** All launches of the newest attempt; with `follow` also new ones, until the task ends. */
export async function copyTask(
  { client, terminal }: Context,
  runId: string,
  taskId: string,
  options: CopyOptions,
): Promise<void> {
  const done = new Set<string>();
  const breaks: number[] = [];
  const onReturn = sayReturn(terminal.note);
  const places = options.places ?? new Map<string, { at: number }>();
  for (;;) {
    const task = taskOf(await client.get(`/runs/${runId}`, runView), taskId);
    const launch = task.attempt?.launches.find((id) => !done.has(id));
    if (launch === undefined) {
      if (!options.follow || task.outcome !== null) return;
      await delay(pollMs, undefined, { signal: options.signal });
      continue;
    }
    const place = places.get(launch) ?? { at: 0 };
    places.set(launch, place);
    try {
      await copyLaunch(client, taskId, launch, place, options);
      done.add(launch);
    } catch (error) {
      // An aborted request closes the stream; the daemon is still there.
      if (options.signal.aborted || !(error instanceof DaemonGone)) throw error;
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
  // The process died in the middle of a line; the next launch starts a new line.
  if (copy !== undefined && last !== newline) await copy(Buffer.of(newline));
}

export function tooLong({ start, end }: Line, file: string): string {
  return `[a line of ${end - start - 1} bytes is not shown; see ${file} from byte ${start}]`;
}

export function taskOf(run: RunView, taskId: string): TaskView {
  const task = run.tasks.find((each) => each.id === taskId);
  if (task === undefined) throw new Error(`the daemon no longer knows task ${taskId}`);
  return task;
}
