// The files of the repository as the tidy and coverage tests see them: relative paths, slashes forward.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = packageAbove(dirname(fileURLToPath(import.meta.url)));

const generated = new Set(['node_modules', 'dist', '.git', '.cache']);

/** Benches are compiled into a folder deeper in the same package. */
function packageAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageAbove(dirname(folder));
}

/** Every file below `folder`, sorted; none when the folder does not exist. */
export function filesBelow(folder: string): string[] {
  const start = join(root, folder);
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory()) return [];
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (generated.has(entry.name) || entry.name.startsWith('.dist-')) continue;
      if (entry.isDirectory()) walk(join(path, entry.name));
      else if (entry.isFile()) found.push(relative(root, join(path, entry.name)).split(sep).join('/'));
    }
  };
  walk(start);
  return found.sort();
}

/** What git tracks or would track; in a tree without git, everything that is not generated. */
export function trackedFiles(): string[] {
  let listed: string;
  try {
    listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return filesBelow('.');
  }
  const names = listed.split('\0').filter((name) => name !== '');
  return names.filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile());
}

export function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}
