// The branch in which a run lands if none is named: the one named when it started, else the one that it started from, else the
// one that is checked out.

import { Fault } from '../../std/fault.ts';
import type { RunView } from '../../wire/views.ts';
import type { Place } from './context.ts';
import { userGit } from './user-git.ts';

export interface DefaultTarget {
  readonly branch: string;
  /** Why this one, as the end of a sentence. */
  readonly why: string;
}

export async function defaultTarget(
  place: Place,
  { into, repo }: Pick<RunView, 'into' | 'repo'>,
): Promise<DefaultTarget> {
  if (into !== null) return { branch: into, why: 'named when the run began' };
  const inRepo = (...args: string[]) => userGit(place, ['-C', repo.path, ...args]);
  if (repo.branch !== null) {
    const there = await inRepo('rev-parse', '--verify', '--quiet', `refs/heads/${repo.branch}`);
    if (there.status === 0) return { branch: repo.branch, why: 'the run started from it' };
  }
  const current = await inRepo('symbolic-ref', '--quiet', '--short', 'HEAD');
  if (current.status === 0) return { branch: current.stdout.trim(), why: 'it is checked out' };
  throw new Fault(
    'bad_request',
    'no branch is checked out, and the run started from none: name one with --into <branch>',
  );
}
