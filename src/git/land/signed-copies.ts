// The commits of a landing as the user signed them: equal except for the signature. The daemon never signs in the user's name;
// it only makes sure that what was signed is what was prepared.

import type { LandResult } from '../../ports/land-port.ts';
import { readCommit } from '../commands/commit-object.ts';
import { git, isCommitId } from '../commands/git.ts';
import { fetchOnly } from '../project/project.ts';
import { splitSignature } from '../signing/signed-commit.ts';
import type { LandedCommit } from './landing-commits.ts';
import type { Prepared } from './landing-merge.ts';
import { type Making, refused } from './landing-order.ts';

/** As they were prepared, if the user does not sign. */
export async function asSigned(
  { bare, order }: Making,
  root: string,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Prepared | LandResult> {
  const { signed } = order.history;
  if (signed === undefined || prepared.commits.length === 0) return prepared;
  if (signed.commit !== prepared.to)
    return refused('the branch was moved while its new commits were signed: land again');
  const place = { env: { GIT_DIR: bare } };
  await git([...fetchOnly, root, signed.as], { ...place, config: { 'protocol.version': '2' }, signal });
  const copies = new Map<string, string>();
  const left: [LandedCommit, string][] = [[lastOf(prepared), signed.as]];
  const byId = new Map(prepared.commits.map((commit) => [commit.commit, commit]));
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [made, copy] = pair;
    copies.set(made.commit, copy);
    if (made.commit === copy) continue;
    const found = await readCommit(place, copy, signal);
    const payload = found === null ? '' : splitSignature(found.bytes).payload.toString('utf8');
    const parents = [...payload.slice(0, payload.indexOf('\n\n')).matchAll(/^parent ([0-9a-f]+)$/gm)].map(
      ([, id]) => id ?? '',
    );
    if (made.text === null || payload !== withParents(made.text, parents)) return refused(otherThanPrepared);
    for (const [at, parent] of made.parents.entries()) {
      const below = byId.get(parent);
      const actual = parents[at] ?? '';
      if (below !== undefined && isCommitId(actual)) left.push([below, actual]);
      else if (actual !== parent) return refused(otherThanPrepared);
    }
  }
  const commits = prepared.commits.map((each) => ({ ...each, commit: copies.get(each.commit) ?? each.commit }));
  return { to: signed.as, commits };
}

const otherThanPrepared = 'the signed commits are not those that were prepared: nothing was moved';

function lastOf({ commits }: Prepared): LandedCommit {
  return commits[commits.length - 1] as LandedCommit;
}

function withParents(text: string, parents: readonly string[]): string {
  let at = 0;
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end).replace(/^parent [0-9a-f]+$/gm, () => `parent ${parents[at++] ?? ''}`);
  return `${head}${text.slice(end)}`;
}
