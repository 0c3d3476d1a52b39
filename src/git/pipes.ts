// git opens some files of a tree by name, and a named pipe in their place would hold it for ever.

import { trustedPath } from '../process/confine.ts';
import { runChild } from './child.ts';

/** Removes the pipes that git would wait for; there is nothing in them to save. */
export async function removePipes(directory: string, signal: AbortSignal): Promise<void> {
  const names = ['.gitignore', '.gitattributes', '.gitmodules'].flatMap((name) => ['-o', '-name', name]).slice(1);
  const argv = ['find', directory, '-type', 'p', '(', ...names, ')', '-exec', 'rm', '-f', '{}', ';'];
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  // Best effort: a tree that cannot be searched is for git to complain of.
  await runChild({ argv, cwd: '/', env, timeoutMs: searchTimeoutMs, graceMs: 0, onOutput: () => true }, signal);
}

const searchTimeoutMs = 5 * 60_000;
