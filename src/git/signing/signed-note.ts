// A note on a landed commit, read and verified without git or ssh-keygen. It has a paragraph for the commit, one for each
// integration that the commit consists of, one for the landing, and a signature of them all.

import type { KeyObject } from 'node:crypto';
import { type SignatureVerdict, verifyText } from './ssh-signature.ts';

export const notesRef = 'refs/notes/signalbox';

export interface LandedNote {
  /** The commit that it is about. */
  readonly commit: string;
  readonly integrations: readonly (readonly NoteLine[])[];
  readonly landing: readonly NoteLine[];
  readonly verdict: SignatureVerdict | 'unsigned';
}

export interface NoteLine {
  readonly key: string;
  readonly value: string;
}

/** null: it is no note of ours. `key`: null if this home has none. */
export function readNote(note: string, key: KeyObject | null): LandedNote | null {
  const start = note.indexOf('-----BEGIN SSH SIGNATURE-----');
  const text = start < 0 ? `${note.trimEnd()}\n` : note.slice(0, start).replace(/\n\n$/, '\n');
  const [head = [], ...paragraphs] = text
    .trim()
    .split(/\n{2,}/)
    .map(linesOf);
  const commit = head.find((line) => line.key === 'Signalbox-Commit')?.value;
  if (commit === undefined) return null;
  const isIntegration = (lines: readonly NoteLine[]): boolean => lines[0]?.key === 'Signalbox-Integration';
  return {
    commit,
    integrations: paragraphs.filter(isIntegration),
    landing: paragraphs.find((lines) => !isIntegration(lines)) ?? [],
    verdict:
      start < 0 ? 'unsigned' : key === null ? 'foreign' : verifyText(key, Buffer.from(text), note.slice(start), 'note'),
  };
}

function linesOf(paragraph: string): NoteLine[] {
  return paragraph.split('\n').flatMap((line) => {
    const [, key, value] = /^([A-Za-z0-9-]+): (.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
}
