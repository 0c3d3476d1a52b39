// Examines a path. Whatever cannot be examined counts as absent: a file where a directory is expected, a directory
// without permission, something that vanished meanwhile.

import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';

/** Most paths do not exist, and an exception costs more than the look. */
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

/** With the type of each entry, as far as the directory itself tells it. */
export function entriesIn(path: string): readonly Dirent[] {
  return orNull(() => readdirSync(path, { withFileTypes: true })) ?? [];
}

export function namesIn(path: string): readonly string[] {
  return orNull(() => readdirSync(path)) ?? [];
}

/** The real path; for what does not exist, the given path. */
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
