// The file system of a sandbox as a list of mounts, where a later one covers an earlier one, and as bubblewrap options.
// Paths are the same inside and outside.

import { sep } from 'node:path';

export type Mount =
  /** `optional`: it may be gone by the time of the launch. */
  | { readonly kind: 'read'; readonly path: string; readonly from?: string; readonly optional?: boolean }
  | { readonly kind: 'write'; readonly path: string; readonly optional?: boolean }
  /** A link, as it is outside. */
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  /** An empty directory that ends with the launch. */
  | { readonly kind: 'empty'; readonly path: string }
  /** An empty file in place of the real one. */
  | { readonly kind: 'blank'; readonly path: string };

export function mountOptions(mounts: readonly Mount[]): readonly string[] {
  return mounts.flatMap(optionsOf);
}

function optionsOf(mount: Mount): readonly string[] {
  const { path } = mount;
  switch (mount.kind) {
    case 'read':
      return [mount.optional === true ? '--ro-bind-try' : '--ro-bind', mount.from ?? path, path];
    case 'write':
      return [mount.optional === true ? '--bind-try' : '--bind', path, path];
    case 'link':
      return ['--symlink', mount.to, path];
    case 'empty':
      return ['--tmpfs', path];
    case 'blank':
      return ['--ro-bind', '/dev/null', path];
  }
}

/** Whether `path` is `folder` or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** How `path` is visible inside, by the last mount above it; null: not at all. */
export function shownAs(path: string, mounts: readonly Mount[]): 'read' | 'write' | null {
  const above = mounts.findLast((mount) => isWithin(path, mount.path));
  if (above === undefined || above.kind === 'empty' || above.kind === 'blank') return null;
  return above.kind === 'write' ? 'write' : 'read';
}

/**
 * A path under its real name, and under the given name where that differs. Mounting below a link would follow it out of
 * the sandbox, so the link is created unless it is visible already.
 */
export function named(given: string, real: string, before: readonly Mount[]): readonly Mount[] {
  return given === real || shownAs(given, before) !== null ? [] : [{ kind: 'link', path: given, to: real }];
}
