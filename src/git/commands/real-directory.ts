// Whether a path is a real directory: a link could lead to files of others.

import { lstatSync } from 'node:fs';
import { diskFault } from '../../std/files.ts';

/** Synchronous: a trip through the thread pool takes ten times as long. */
export async function hasDirectory(path: string): Promise<boolean> {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw diskFault(error, path);
  }
}
