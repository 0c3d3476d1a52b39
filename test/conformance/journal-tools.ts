// Small tools of the journal's tests. The chain is recomputed here from its description, not with the store's code.

import { createHash } from 'node:crypto';
import type { Journal, StoredEvent, StreamAppend } from '../../src/ports/journal.ts';
import { isFault } from '../../src/std/fault.ts';

export function part(stream: string, expected: number, texts: readonly string[], open = true): StreamAppend {
  return { stream, expected, at: 10, open, events: texts.map((data) => ({ type: 'noted', data })) };
}

export async function readAll(journal: Pick<Journal, 'read'>, stream: string, limit = 1000): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const page = await journal.read(stream, all.length, limit);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

export async function faultCode(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no fault',
    (error: unknown) => (isFault(error) ? error.code : `not a fault: ${String(error)}`),
  );
}

export async function faultText(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no fault',
    (error: unknown) => (isFault(error) ? `${error.code}: ${error.message}` : `not a fault: ${String(error)}`),
  );
}

/** From event 1: numbers without gaps, every hash right, every event naming the hash before it. */
export function chainIsSound(events: readonly StoredEvent[]): boolean {
  let before = '0000000000000000000000000000000000000000000000000000000000000000';
  for (const [index, e] of events.entries()) {
    const sha = createHash('sha256');
    const head = [before, e.stream.length, e.stream, index + 1, e.at, e.type.length, e.type, ''].join(':');
    sha.update(Buffer.from(head, 'utf8')).update(Buffer.from(e.data, 'utf8'));
    if (e.seq !== index + 1 || e.prevHash !== before || e.hash !== sha.digest('hex')) return false;
    before = e.hash;
  }
  return true;
}
