// Writes the notes on the commits of a landing once they are in the user's repository. A repeated try finds out again which
// they are.

import { gitAsUser, type User } from '../commands/git-as-user.ts';
import { type Prepared, prepareCommits } from './landing-merge.ts';
import { addNotes, noteText } from './landing-notes.ts';
import type { Trial } from './landing-order.ts';
import type { Target } from './target-branch.ts';

export interface Noted {
  readonly count: number;
  /** What could not be done, in sentences. */
  readonly notes: readonly string[];
}

/** `target`: with the tip that the branch was moved from. */
export async function noteAgain(
  trial: Trial,
  target: Pick<Target, 'tip' | 'branch' | 'root'>,
  to: string,
  signal: AbortSignal,
): Promise<Noted> {
  const prepared = await prepareCommits(trial, target, signal);
  if (!('kind' in prepared) && prepared.to === to) return noteCommits(trial, target.root, prepared, signal);
  return { count: 0, notes: ['which commits it consists of could not be found out again: they have no notes'] };
}

export async function noteCommits(
  { order, options }: Trial,
  root: string,
  { commits }: Prepared,
  signal: AbortSignal,
): Promise<Noted> {
  const { at, trailers } = order;
  const notes = commits.map(({ commit, integrations }) => {
    return { commit, text: noteText({ commit, integrations, trailers }, options.signNote ?? null) };
  });
  const flaw = await addNotes({ root, user: options.user, at }, notes, signal);
  const said = flaw === null ? [] : [`the commits have no notes that say where they come from: ${flaw}`];
  const isUnsigned = order.history.signed === undefined && (await isOn(root, options.user, 'commit.gpgSign', signal));
  return { count: commits.length, notes: isUnsigned ? [...said, unsigned] : said };
}

const unsigned =
  'your git signs commits, but nobody was there to sign these: "signalbox land" at a terminal signs what it lands, and ' +
  '"git config signalbox.requireSigned true" lets nothing land without';

/** Why the commits may not land as they are; null = they may. */
export async function flawOfUnsigned(
  { order, options }: Trial,
  root: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (order.history.signed !== undefined) return null;
  if (!(await isOn(root, options.user, 'signalbox.requireSigned', signal))) return null;
  return `${root} lets nothing land unsigned, and nobody was there to sign: run "signalbox land" at a terminal`;
}

/** A switch of the user's git. */
async function isOn(root: string, user: User, name: string, signal: AbortSignal): Promise<boolean> {
  const args = ['config', '--type=bool', '--get', name];
  return (await gitAsUser(args, { cwd: root, user, signal })).stdout.trim() === 'true';
}
