// Where a program is, through all links, and which directories have to be shown with it.

import { accessSync, constants, readlinkSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { entryAt, isFile, realOf } from './path-look.ts';
import { isTooWide } from './toolchains.ts';

export interface Program {
  /** Every link on the way to the file, without the file itself. */
  readonly links: readonly string[];
  readonly file: string;
  /** The package directory of the program, or the file alone. */
  readonly root: string;
}

/** null: there is none; starting it will fail and say so. */
export function findProgram(name: string, path: string, hidden: readonly string[]): Program | null {
  const given = name.includes(sep) ? resolve('/', name) : onPath(name, path);
  if (given === null || !isProgram(given)) return null;
  const links: string[] = [];
  let at = given;
  while (links.length < linksMax && entryAt(at)?.isSymbolicLink()) {
    links.push(at);
    at = resolve(dirname(at), readlinkSync(at));
  }
  const file = realOf(given);
  if (links.length === 0 && file !== given) links.push(given);
  const root = rootOf(file);
  return { links, file, root: isTooWide(root, hidden) ? file : root };
}

const linksMax = 40;

/** A package finds its dependencies in the directory of all packages. */
function rootOf(file: string): string {
  const packages = `${sep}node_modules${sep}`;
  const at = file.indexOf(packages);
  return at < 0 ? dirname(file) : file.slice(0, at + packages.length - 1);
}

function onPath(name: string, path: string): string | null {
  const folders = path.split(':').filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
