// What stands behind a word that nobody knows: a near one, or all there are.

import { nearest } from '../std/nearest.ts';

const listedMax = 12;

export function didYouMean(word: string, known: readonly string[]): string | null {
  const [near, ...others] = nearest(word, known).map((name) => `"${name}"`);
  if (near !== undefined) return `did you mean ${[near, ...others].join(' or ')}?`;
  if (known.length === 0) return null;
  const shown = known.slice(0, listedMax).join(', ');
  return `there is: ${shown}${known.length > listedMax ? `, and ${known.length - listedMax} more` : ''}`;
}
