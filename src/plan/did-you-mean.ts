// The suggestion for an unknown word: a similar one, or the list of known ones.

import { askMeant } from '../std/nearest.ts';

const listedMax = 12;

export function didYouMean(word: string, known: readonly string[]): string | null {
  const near = askMeant(word, known);
  if (near !== null || known.length === 0) return near;
  const shown = known.slice(0, listedMax).join(', ');
  return `there is: ${shown}${known.length > listedMax ? `, and ${known.length - listedMax} more` : ''}`;
}
