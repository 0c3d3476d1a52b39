// Examines a path. Whatever cannot be examined counts as absent: a file where a directory is expected, a directory
// without permission, something that vanished meanwhile.

import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';

/** Most of what is looked for is not there, and an exception costs more than the look. */
const quiet = { throwIfNoEntry: false } as const;

/** Of the link itself. */
export function entryAt(path: string): Stats | null {
  return orNull(() => lstatSync(path, quiet)) ?? null;
}

export function isDirectory(path: string): boolean {
  return orNull(() => statSync(path, quiet))?.isDirectory() === true;
}

export function isFile(path: string): boolean {
  return orNull(() => statSync(path, quiet))?.isFile() === true;
}

/** With what each is, as far as the file system says so without a look at each. */
export function entriesIn(path: string): readonly Dirent[] {
  return orNull(() => readdirSync(path, { withFileTypes: true })) ?? [];
}

export function namesIn(path: string): readonly string[] {
  return orNull(() => readdirSync(path)) ?? [];
}

/** The name under which it is found through all links; of what is not there, the name given. */
export function realOf(path: string): string {
  return orNull(() => realpathSync.native(path)) ?? path;
}

function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
