// The identity in whose name work lands: the user's, as git is configured in that repository.

import type { Identity } from '../commands/create-commit.ts';
import { lastLine } from '../commands/failure-line.ts';
import { gitAsUser, type User } from '../commands/git-as-user.ts';

/** Or a sentence that says how to configure it. */
export async function readIdentity(root: string, user: User, signal: AbortSignal): Promise<Identity | string> {
  const { status, stdout, stderr } = await gitAsUser(['var', 'GIT_AUTHOR_IDENT'], { cwd: root, user, signal });
  const [, name, email] =
    /^(.+) <(.*)> \d+ [+-]\d{4}$/.exec(Buffer.from(stdout, 'latin1').toString('utf8').trim()) ?? [];
  if (status === 0 && name !== undefined && email !== undefined) return { name, email };
  return (
    `git does not know in whose name to commit in ${root} (${lastLine(stderr)}): ` +
    'run "git config --global user.name <name>" and "git config --global user.email <address>"'
  );
}
