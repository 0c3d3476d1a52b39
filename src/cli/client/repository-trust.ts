// The tools of the repository here, and whether the user trusts exactly their present content.

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type RepositoryTools, repositoryTools } from '../../configuration/tools/repository-tools.ts';
import { openTrust, type Trust } from '../../configuration/tools/trust-store.ts';
import type { Context } from './context.ts';
import { userGit } from './user-git.ts';

export interface TrustHere {
  /** The git directory, which the worktrees of a repository share. */
  readonly repository: string;
  readonly found: RepositoryTools;
  /** `none`: the repository has no such files. `changed`: other content was trusted. */
  readonly state: 'none' | 'trusted' | 'changed' | 'untrusted';
  readonly trust: Trust | null;
}

export async function trustHere({ place, lent }: Pick<Context, 'place' | 'lent'>, top: string): Promise<TrustHere> {
  const { ownsVariable } = await lent.harnesses();
  const [repository, found] = await Promise.all([gitDirectory(place, top), repositoryTools(top, ownsVariable)]);
  const trust = openTrust(place.home).find(repository);
  const state =
    found.digest === null
      ? 'none'
      : trust === null
        ? 'untrusted'
        : trust.digest === found.digest
          ? 'trusted'
          : 'changed';
  return { repository, found, state, trust };
}

async function gitDirectory(place: Context['place'], top: string): Promise<string> {
  const { status, stdout } = await userGit(place, ['-C', top, 'rev-parse', '--git-common-dir']);
  const named = stdout.replace(/\n$/, '');
  return realpath(status === 0 && named !== '' ? resolve(top, named) : top);
}
