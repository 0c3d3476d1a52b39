// Whether there is a real directory at a path: a link would lead to somebody else's files.

import { lstat } from 'node:fs/promises';
import { diskFault, errnoOf } from '../std/files.ts';

export async function hasDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw diskFault(error, path);
  }
}
