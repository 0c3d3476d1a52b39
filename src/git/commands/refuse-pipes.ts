// Refuses named pipes where git opens a file of a tree by name: git would wait for ever.

import { trustedPath } from '../../process/confine.ts';
import { runChild } from './run-process.ts';

/** Files that git opens wherever they are. */
export const gitReads: readonly string[] = ['.gitignore', '.gitattributes', '.gitmodules'];

/** Removes the pipes that git would wait for; they hold nothing to save. Returns whether there were any. */
export async function removePipes(directory: string, signal: AbortSignal): Promise<boolean> {
  const names = gitReads.flatMap((name) => ['-o', '-name', name]).slice(1);
  const argv = ['find', directory, '-type', 'p', '(', ...names, ')', '-print', '-exec', 'rm', '-f', '{}', ';'];
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  let some = false;
  const onOutput = (_: Buffer, stream: 'stdout' | 'stderr'): boolean => {
    some ||= stream === 'stdout';
    return true;
  };
  // Best effort: git will report a tree that cannot be searched.
  await runChild({ argv, cwd: '/', env, timeoutMs: searchTimeoutMs, graceMs: 0, onOutput }, signal);
  return some;
}

const searchTimeoutMs = 5 * 60_000;
