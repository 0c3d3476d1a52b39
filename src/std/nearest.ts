// Names that a mistyped word may have meant. Pure.

const shownMax = 3;

export function nearest(word: string, names: readonly string[]): string[] {
  const lower = word.toLowerCase();
  const limit = Math.max(2, Math.floor(word.length / 3));
  const scored = [...new Set(names)].map((name) => ({ name, score: score(lower, name.toLowerCase(), limit) }));
  const close = scored.filter((each) => each.score <= limit).sort((a, b) => a.score - b.score);
  return close.slice(0, shownMax).map((each) => each.name);
}

/** Asks whether one of them was meant; null = none is similar. */
export function askMeant(word: string, names: readonly string[]): string | null {
  const near = nearest(word, names).map((name) => `"${name}"`);
  return near.length === 0 ? null : `did you mean ${near.join(' or ')}?`;
}

/** The same, appended to a sentence which says that there is no such name. */
export function orMeant(word: string, names: readonly string[]): string {
  const asked = askMeant(word, names);
  return asked === null ? '' : `; ${asked}`;
}

function score(word: string, name: string, max: number): number {
  return name.startsWith(word) || word.startsWith(name) ? 0 : distance(word, name, max);
}

/** Levenshtein distance, one row at a time; distances above `max` are not computed. */
function distance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const steps = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(steps);
      least = Math.min(least, steps);
    }
    // The minimum of the rows never decreases.
    if (least > max) return Number.POSITIVE_INFINITY;
    row = next;
  }
  return row[b.length] ?? 0;
}
