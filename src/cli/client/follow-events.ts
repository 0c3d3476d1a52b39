// Follows the events of a run over the death of the daemon: it starts or finds another one and goes on after the last
// event it has seen. Each event is given once, in order.

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

/** More breaks than this within the time and the daemon is not worth another start. */
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
      // Whoever leaves closes the stream; no daemon went away then.
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
  throw new Fault('daemon_unreachable', 'the daemon keeps going away: its log says why');
}

export function sayReturn(note: (line: string) => void): (started: boolean) => void {
  return (started) => note(started ? 'the daemon went away; started again' : 'the daemon went away; it is back');
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

/** Somebody wanted it down: starting it again would be working against them. */
export function downFault(): Fault {
  return new Fault('store_closed', 'the daemon was told to leave; agents go on, and "signalbox up" brings it back');
}
