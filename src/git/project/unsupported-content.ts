// How a checkout of a commit differs from the user's own, in sentences: submodules stay empty, and files in Git LFS are
// the committed pointers.

import { type GitOptions, git } from '../commands/git.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';

export async function unsupportedContent(
  bare: string,
  commit: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return unsupported([bare, commit], () => lookForUnsupported(bare, commit, signal));
}

const unsupported = createMemory<readonly string[]>();

async function lookForUnsupported(bare: string, commit: string, signal: AbortSignal): Promise<string[]> {
  const options: GitOptions = { env: { GIT_DIR: bare }, signal };
  const show = async (name: string): Promise<string> => {
    const found = await git(['cat-file', 'blob', `${commit}:${name}`], { ...options, accept: [0, 128] });
    return found.status === 0 ? found.stdout : '';
  };
  const modules = pathsOfModules(await show('.gitmodules'));
  const notes: string[] = [];
  if (modules.length > 0) notes.push(`submodules are empty in a workspace: ${listed(modules)}`);
  if (/\bfilter=lfs\b/.test(await show('.gitattributes'))) {
    notes.push('files that Git LFS keeps are pointers in a workspace, not their content');
  }
  return notes;
}

const shownMax = 5;

function pathsOfModules(text: string): string[] {
  return [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) => path);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, shownMax).map((name) => JSON.stringify(name));
  return names.length > shownMax ? `${shown.join(', ')} and ${names.length - shownMax} more` : shown.join(', ');
}
