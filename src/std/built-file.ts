// Locates the built files that are run by their path: programs of their own and scripts. From a bundle, from the sources (a
// thread or a program of ours cannot be TypeScript on every Node we support) or from a compiled benchmark, the answer is the
// same: `dist` of this package.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert } from './assert.ts';

/** `name`: relative to the root of the build. */
export function builtFile(name: string): string {
  return join(packageRoot(), 'dist', name);
}

/** The directory of this package. */
export function packageRoot(): string {
  let dir = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(dir, 'package.json'))) {
    assert(dir !== dirname(dir), `no package.json above ${import.meta.url}`);
    dir = dirname(dir);
  }
  return dir;
}
