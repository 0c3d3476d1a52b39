// What is known of a landed commit besides its message: a git note at refs/notes/signalbox of the user's repository, signed
// with Signalbox's own key. Only the user fetches or pushes that ref.

import { Buffer } from 'node:buffer';
import type { Trailer } from '../../ports/integration-port.ts';
import { lastLine } from '../commands/failure-line.ts';
import { gitAsUser, type User } from '../commands/git-as-user.ts';
import { notesRef } from '../signing/signed-note.ts';
import type { Integration } from './landing-steps.ts';

export interface NoteSource {
  readonly commit: string;
  readonly integrations: readonly Integration[];
  /** The trailers of the landing. */
  readonly trailers: readonly Trailer[];
}

export function noteText(
  { commit, integrations, trailers }: NoteSource,
  sign: ((text: string) => string) | null,
): string {
  const paragraphs = [
    [`Signalbox-Commit: ${commit}`],
    ...integrations.map((each) => [`Signalbox-Integration: ${each.commit}`, ...each.trailers]),
    trailers.map(({ key, value }) => `${key}: ${value}`),
  ];
  const text = `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
  return sign === null ? text : `${text}\n${sign(text)}`;
}

export interface Note {
  readonly commit: string;
  readonly text: string;
}

/** Existing notes are left alone. Returns why it failed; null: it succeeded. */
export async function addNotes(
  { root, user, at }: { readonly root: string; readonly user: User; readonly at: number },
  notes: readonly Note[],
  signal: AbortSignal,
): Promise<string | null> {
  const inRepo = { cwd: root, user, signal };
  for (let tried = 0; ; tried++) {
    const there = await readNotes(root, user, notes, signal);
    const missing = notes.filter(({ commit, text }) => there.get(commit) !== text.trim());
    if (missing.length === 0) return null;
    const exists = (await gitAsUser(['rev-parse', '--verify', '--quiet', notesRef], inRepo)).status === 0;
    const input = importOf(missing, exists, at);
    const { status, stderr } = await gitAsUser(['fast-import', '--quiet', '--date-format=raw'], { ...inRepo, input });
    // Another landing may have written notes at the same time.
    if (status !== 0 && tried >= triesMax) return lastLine(stderr) || `git fast-import: exit ${status}`;
  }
}

const triesMax = 3;

/** By commit, without the line break at the end. */
async function readNotes(
  root: string,
  user: User,
  notes: readonly Note[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const args = ['log', '--no-walk=unsorted', '--stdin', `--notes=${notesRef}`, '--format=%H%n%N%x00'];
  const input = notes.map(({ commit }) => `${commit}\n`).join('');
  const { stdout } = await gitAsUser(args, { cwd: root, user, signal, input });
  const found = new Map<string, string>();
  for (const each of Buffer.from(stdout, 'latin1').toString('utf8').split('\0')) {
    const [commit = '', ...lines] = each.trim().split('\n');
    found.set(commit, lines.join('\n').trim());
  }
  return found;
}

function importOf(notes: readonly Note[], exists: boolean, at: number): Buffer {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const head = [
    `commit ${notesRef}\n`,
    `committer Signalbox <signalbox@localhost> ${Math.floor(at / 1_000)} +0000\n`,
    data('Note where landed commits come from\n'),
    ...(exists ? [`from ${notesRef}^0\n`] : []),
  ];
  return Buffer.from([...head, ...notes.map(({ commit, text }) => `N inline ${commit}\n${data(text)}`)].join(''));
}
