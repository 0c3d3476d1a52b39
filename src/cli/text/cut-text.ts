// Texts of agents that were cut when they were recorded, and the words that say where the whole is. Pure.

import { turnTextMax } from '../../wire/event-names.ts';

export function isCut(text: string): boolean {
  return text.length >= turnTextMax;
}

/** For the end of a line that shows less than there is. */
export function wholeIs(id: string): string {
  return ` … (cut; the whole: signalbox logs ${id})`;
}

/** Whether an event of the record holds a text that was cut. */
export function holdsCut(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (key === 'cut') return inner === true;
    return key === 'detail' && typeof inner === 'string' ? isCut(inner) : holdsCut(inner);
  });
}
