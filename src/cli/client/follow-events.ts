// Follows the events of a run across restarts of the daemon. Each event is delivered once, in order.

import type { IncomingMessage } from 'node:http';
import { Fault } from '../../std/fault.ts';
import { createLineSplitter } from '../../std/lines.ts';
import { farewell, readWireEvent, type WireEvent } from '../../wire/event-names.ts';
import { type Client, DaemonGone, gone } from './client.ts';

export interface FollowOptions {
  readonly after: number;
  /** false: up to the newest event only. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  onReturn(started: boolean): void;
}

/** More breaks than this within the time: give up instead of starting it again. */
const breaksMax = 5;
const breaksWithinMs = 60_000;

export async function* followEvents(client: Client, runId: string, options: FollowOptions): AsyncGenerator<WireEvent> {
  let { after } = options;
  const breaks: number[] = [];
  for (;;) {
    try {
      const path = `/runs/${runId}/events?after=${after}&follow=${options.follow ? 1 : 0}`;
      for await (const event of readStream(await client.open(path, options.signal))) {
        after = event.seq;
        yield event;
      }
      if (!options.follow) return;
    } catch (error) {
      // An aborted request closes the stream; the daemon is still there.
      if (options.signal.aborted || !(error instanceof DaemonGone)) throw error;
    }
    noteBreak(breaks);
    options.onReturn(await client.ensure());
  }
}

export function noteBreak(breaks: number[]): void {
  const now = performance.now();
  breaks.push(now);
  if (breaks.filter((at) => now - at < breaksWithinMs).length <= breaksMax) return;
  throw new Fault('daemon_unreachable', 'the daemon keeps exiting: see daemon.log in its home directory');
}

export function sayReturn(note: (line: string) => void): (started: boolean) => void {
  return (started) => note(started ? 'the daemon exited; started it again' : 'the daemon exited; it is back');
}

async function* readStream(response: IncomingMessage): AsyncGenerator<WireEvent> {
  const splitter = createLineSplitter(0);
  let name = '';
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      for (const { text } of splitter.push(chunk)) {
        if (text.startsWith('event: ')) name = text.slice('event: '.length);
        if (text === '') name = '';
        if (!text.startsWith('data: ')) continue;
        if (name === farewell) throw downFault();
        yield readWireEvent(text.slice('data: '.length));
      }
    }
  } catch (error) {
    throw gone(error);
  }
}

/** Somebody shut it down on purpose, so do not start it again. */
export function downFault(): Fault {
  return new Fault('store_closed', 'the daemon was shut down; agents continue; start it again with "signalbox up"');
}
