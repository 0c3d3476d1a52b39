// A trailer of a commit of ours. What agents and users have named is one line, bounded, and can pass for nothing else.

export interface Trailer {
  readonly key: string;
  readonly value: string;
}

/** All keys begin so. */
export const trailerPrefix = 'Signalbox-';

export function trailersOf(said: readonly (readonly [name: string, value: string])[]): Trailer[] {
  return said.map(([name, value]) => ({ key: `${trailerPrefix}${name}`, value: harmless(value) }));
}

/** An event of a run's stream and its hash, which vouches for all before it. */
export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

export function anchorWords(runId: string, { seq, hash }: Anchor): string {
  return `${runId}@${seq} ${hash}`;
}

/** A name among other words. */
export function nameWords(name: string): string {
  return oneLine(name).slice(0, nameMax);
}

const nameMax = 100;
const valueMax = 4_000;

function harmless(value: string): string {
  // Once more: a cut may have left half a character.
  return oneLine(oneLine(value).slice(0, valueMax));
}

/** Without what could end a line, hide text or turn it round. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
