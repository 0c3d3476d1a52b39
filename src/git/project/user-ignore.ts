// The user's global ignore file. Only its path is looked up: git runs here without the user's configuration, and would
// otherwise take an editor's files for work.

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../commands/git.ts';

/** null: there is none. */
export async function excludesFileOf(
  root: string,
  userHome: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  const ask = async (args: readonly string[]): Promise<string | null> => {
    const asked = ['config', ...args, '--type=path', '--get', 'core.excludesFile'];
    const env = userHome === null ? {} : { HOME: userHome };
    const { stdout, status } = await git(asked, { cwd: root, env, signal, accept: [0, 1, 128] });
    return status === 0 ? stdout.replace(/\n$/, '') : null;
  };
  const homes = userHome === null ? [] : [join(userHome, '.gitconfig'), join(userHome, '.config', 'git', 'config')];
  const usual = userHome === null ? null : join(userHome, '.config', 'git', 'ignore');
  let found = await ask([]);
  for (const file of homes) found ??= await ask(['--file', file]);
  const path = found ?? usual;
  return path !== null && (await lstat(path).catch(() => null)) !== null ? path : null;
}
