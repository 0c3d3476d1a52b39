// A git directory of our own for one piece of work, so that git reads our configuration where it handles an agent's
// files or objects.

import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFault } from '../../std/files.ts';
import { git } from './git.ts';
import { createMemory } from './memoize-by-commit.ts';

export interface OwnGitDir {
  readonly path: string;
  /** A commit of the repository, which tells the hash in use. */
  readonly like: string;
  readonly config?: string;
  /** An objects directory to borrow from. */
  readonly borrow?: string;
}

export async function makeGitDir({ path, like, config, borrow }: OwnGitDir, signal: AbortSignal): Promise<void> {
  const format = like.length === 64 ? 'sha256' : 'sha1';
  try {
    // git's findings about a file system hold for all repositories in it.
    const { dev } = await stat(dirname(path));
    const found = await configs([String(dev), format], async () => {
      await git(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, path], { signal });
      return readFile(join(path, 'config'), 'utf8');
    });
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
      await mkdir(join(path, folder), { recursive: true });
    }
    await writeFile(join(path, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(path, 'config'), found + (config ?? ''));
    if (borrow !== undefined) await writeFile(join(path, 'objects', 'info', 'alternates'), `${borrow}\n`);
  } catch (error) {
    throw diskFault(error, path);
  }
}

const configs = createMemory<string>();

/** Over every `.gitattributes`: files as they are, byte for byte. */
export async function ignoreAttributes(path: string): Promise<void> {
  await mkdir(join(path, 'info'), { recursive: true });
  await writeFile(join(path, 'info', 'attributes'), '* !text !crlf !eol !ident !filter !working-tree-encoding\n');
}
