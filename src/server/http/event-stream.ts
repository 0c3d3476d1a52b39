// The events of a run as server-sent events: first the stored ones, then new ones. A commit only wakes the stream; every
// event is read from the journal.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../../engine/engine.ts';
import type { RunEvent } from '../../model/core/events.ts';
import type { RunId } from '../../model/core/ids.ts';
import { readEvent } from '../../model/format.ts';
import type { Journal } from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import { farewell, writeWireEvent } from '../../wire/event-names.ts';
import type { Exchange } from './http.ts';

const pageEvents = 500;
/** Lets a client tell a hanging daemon from a quiet run. */
const heartbeatMs = 15_000;

export async function streamEvents(
  { engine, journal, leaving }: { engine: Engine; journal: Journal; leaving: AbortSignal },
  { response, query, signal }: Exchange,
  runId: RunId,
): Promise<null> {
  if ((await journal.head(runId)) === null) throw new Fault('not_found', `there is no run ${runId}`);
  const follow = query.get('follow') === '1';
  let after = countOf(query.get('after'));
  let grown = true;
  let wake: () => void = () => undefined;
  const forget = engine.onCommit((streams) => {
    if (!streams.includes(runId)) return;
    grown = true;
    wake();
  });
  const ends = AbortSignal.any([signal, leaving]);
  const send = async (text: string): Promise<void> => {
    if (!response.write(text)) await once(response, 'drain', { signal });
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  try {
    while (!ends.aborted) {
      grown = false;
      for (;;) {
        const page = await journal.read(runId, after, pageEvents);
        if (page.length === 0) break;
        for (const stored of page) {
          await send(writeWireEvent({ seq: stored.seq, event: readEvent<RunEvent>(stored, stored.at) }));
          after = stored.seq;
        }
      }
      if (!follow) break;
      if (grown) continue;
      const woken = await sleep(heartbeatMs, ends, (callback) => {
        wake = callback;
      });
      if (!woken) await send(': still here\n\n');
    }
    if (leaving.aborted && !signal.aborted) await send(`event: ${farewell}\ndata: {}\n\n`);
  } finally {
    forget();
    response.end();
  }
  return null;
}

/** true when woken before the time, by the callback or the signal. */
async function sleep(ms: number, signal: AbortSignal, onWake: (wake: () => void) => void): Promise<boolean> {
  const woken = new AbortController();
  onWake(() => woken.abort());
  return delay(ms, false, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => true);
}

export function countOf(text: string | null): number {
  if (text === null) return 0;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Fault('bad_request', `"${text}" is not a count: expected a whole number from 0 on`);
  return value;
}
