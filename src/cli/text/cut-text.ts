// Agent texts that were cut when recorded, and the hint that says where the full text is. Pure.

import { turnTextMax } from '../../wire/event-names.ts';

export function isCut(text: string): boolean {
  return text.length >= turnTextMax;
}

/** Appended to a line that shows only a part. */
export function wholeIs(id: string): string {
  return ` … (cut; full text: signalbox logs ${id})`;
}

/** Whether an event holds a text that was cut. */
export function holdsCut(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (key === 'cut') return inner === true;
    return key === 'detail' && typeof inner === 'string' ? isCut(inner) : holdsCut(inner);
  });
}
