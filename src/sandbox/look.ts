// Looks at what stands on a path. Whatever cannot be looked at is not there: a file where a directory is expected, a
// directory that may not be entered, something that vanished meanwhile.

import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';

/** Of the link itself. */
export function entryAt(path: string): Stats | null {
  return orNull(() => lstatSync(path));
}

export function isDirectory(path: string): boolean {
  return orNull(() => statSync(path))?.isDirectory() === true;
}

export function isFile(path: string): boolean {
  return orNull(() => statSync(path))?.isFile() === true;
}

export function namesIn(path: string): readonly string[] {
  return orNull(() => readdirSync(path)) ?? [];
}

/** The name under which it is found through all links; of what is not there, the name given. */
export function realOf(path: string): string {
  return orNull(() => realpathSync(path)) ?? path;
}

function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
