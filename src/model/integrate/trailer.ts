// A trailer of one of our commits. Names from agents and users become one bounded line that cannot be mistaken for anything
// else.

export interface Trailer {
  readonly key: string;
  readonly value: string;
}

/** The prefix of all keys. */
export const trailerPrefix = 'Signalbox-';

export function trailersOf(said: readonly (readonly [name: string, value: string])[]): Trailer[] {
  return said.map(([name, value]) => ({ key: `${trailerPrefix}${name}`, value: harmless(value) }));
}

/** An event of a run's stream and its hash, which covers all events before it. */
export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

export function anchorWords(runId: string, { seq, hash }: Anchor): string {
  return `${runId}@${seq} ${hash}`;
}

/** A name within a sentence. */
export function nameWords(name: string): string {
  return oneLine(name).slice(0, nameMax);
}

const nameMax = 100;
const valueMax = 4_000;

function harmless(value: string): string {
  // Again, because a cut may have left half a character.
  return oneLine(oneLine(value).slice(0, valueMax));
}

/** Without characters that end a line, hide text or change its direction. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
