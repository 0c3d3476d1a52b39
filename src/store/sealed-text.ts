// The text that a seal signs: one stored event with its run, number and time, so that a valid seal is worth nothing on
// another event. Pure; it never holds a key.

import type { Json } from '../model/core/json.ts';
import type { StoredEvent } from '../ports/journal.ts';
import { canonicalJson } from './artifacts/canonical-json.ts';

export type SealableEvent = Pick<StoredEvent, 'stream' | 'seq' | 'at' | 'type' | 'data'>;

type Data = { readonly [key: string]: Json };

/** The same with and without the seal. `data` is nested: nothing in it can pass for the number or the time. */
export function sealedText({ stream: run, seq, at, type, data: text }: SealableEvent): string {
  const { seal: _, ...data } = JSON.parse(text) as Data;
  return canonicalJson({ run, seq, at, type, data });
}

/** null: it has none. A value that is no string counts as an invalid seal. */
export function sealOf({ data }: Pick<StoredEvent, 'data'>): string | null {
  const { seal = null } = JSON.parse(data) as Data;
  return seal === null || typeof seal === 'string' ? seal : '';
}

export function withSeal(data: string, seal: string): string {
  return JSON.stringify({ ...(JSON.parse(data) as Data), seal });
}
