// The transcript of a launch, byte for byte, from an offset to its end. Read-only: the file belongs to the shim.

import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskId } from '../../model/core/ids.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { farewellTrailer, launchHeader, transcriptHeader } from '../../wire/transcript-headers.ts';
import { type RunView } from '../../wire/views.ts';
import { countOf } from './event-stream.ts';
import type { Exchange } from './http.ts';

export interface LogSource {
  readonly leaving: AbortSignal;
  transcriptPath(launchId: string): string;
  /** The transcript of a launch that has ended, compressed or not. */
  readTranscript(launchId: string, from: number): AsyncIterable<Buffer>;
  look(taskId: TaskId): Promise<RunView>;
}

const chunkBytes = 256 * 1024;
const pollMs = 100;

export async function streamLog(source: LogSource, exchange: Exchange, taskId: TaskId): Promise<null> {
  const { response, query, signal } = exchange;
  const launchId = chosenLaunch(await source.look(taskId), taskId, query.get('launch'));
  const from = countOf(query.get('after'));
  const follow = query.get('follow') === '1';
  const ends = AbortSignal.any([signal, source.leaving]);
  const path = source.transcriptPath(launchId);
  const file = await openIfThere(path);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    trailer: farewellTrailer,
    [launchHeader]: launchId,
    [transcriptHeader]: encodeURIComponent(file === null ? `${path}.gz` : path),
  });
  response.flushHeaders();
  if (file === null) await copyKept(source, exchange, launchId, from);
  try {
    let at = from;
    for (let last = !follow; file !== null; ) {
      at = await copy(file, at, exchange);
      if (last || ends.aborted) break;
      // Read once more after this check, for what was written before it.
      last = !isLive(await source.look(taskId), taskId, launchId);
      if (!last) await delay(pollMs, undefined, { signal: ends }).catch(() => undefined);
    }
  } finally {
    await file?.close();
  }
  // A daemon that exits must not look like the end of the transcript.
  if (source.leaving.aborted) response.addTrailers({ [farewellTrailer]: '1' });
  response.end();
  return null;
}

/** There is no plain file: it was compressed, or the agent printed nothing. */
async function copyKept(
  source: LogSource,
  { response, signal }: Exchange,
  launchId: string,
  from: number,
): Promise<void> {
  for await (const chunk of source.readTranscript(launchId, from)) {
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
}

/** Only launches of this task can be named. */
function chosenLaunch(run: RunView, taskId: TaskId, wanted: string | null): string {
  const launches = taskOf(run, taskId).attempt?.launches ?? [];
  const chosen = wanted ?? launches.at(-1);
  if (chosen === undefined) throw new Fault('not_found', `task ${taskId} has not started a process yet`);
  const own = `launch_${taskId.slice(taskId.indexOf('_') + 1)}-`;
  if (!chosen.startsWith(own) || !/^[0-9]+-[0-9]+$/.test(chosen.slice(own.length))) {
    throw new Fault('not_found', `task ${taskId} has no launch ${chosen}`);
  }
  return chosen;
}

function isLive(run: RunView, taskId: TaskId, launchId: string): boolean {
  const attempt = taskOf(run, taskId).attempt;
  if (attempt?.launches.at(-1) !== launchId) return false;
  return attempt.launchState === 'intended' || attempt.launchState === 'live';
}

function taskOf(run: RunView, taskId: TaskId): RunView['tasks'][number] {
  const task = run.tasks.find((each) => each.id === taskId);
  if (task === undefined) throw new Fault('not_found', `there is no task ${taskId}`);
  return task;
}

async function copy(file: FileHandle, from: number, { response, signal }: Exchange): Promise<number> {
  let at = from;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0 || signal.aborted) return at;
    at += bytesRead;
    if (!response.write(buffer.subarray(0, bytesRead))) await once(response, 'drain', { signal });
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path, 'r').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, path);
  });
}
