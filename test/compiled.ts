// Compiles sources for a plain Node process, file by file: the build has only whole programs.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files.ts';

/** Of these files of src and all that they import; returns the directory that stands for src. Gone when the process ends. */
export function compiled(files: readonly string[]): string {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  // Inside the package, so that packages are found, and the programs of the build.
  const into = mkdtempSync(join(cache, 'compiled-'));
  process.once('exit', () => rmSync(into, { recursive: true, force: true }));
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, rootDir: join(root, 'src'), outDir: into },
    include: [],
    files: files.map((file) => join(root, 'src', file)),
  };
  writeFileSync(join(into, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', into]);
  return into;
}
