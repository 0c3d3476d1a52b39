// Compiles sources for a plain Node process, file by file: the build has only whole programs.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files.ts';

/** Of these files of src and all that they import; returns the directory that stands for src. */
export function compiled(files: readonly string[]): string {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  // Inside the package, so that packages are found, and the programs of the build.
  removeOrphans(cache);
  const into = mkdtempSync(join(cache, `compiled-${process.pid}-`));
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

/** Test runners end their workers without a word, so the next one clears up. */
function removeOrphans(cache: string): void {
  for (const name of readdirSync(cache)) {
    const [, pid] = /^compiled-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
