// The file system of a sandbox as a list of mounts, where a later one covers an earlier one, and as bubblewrap options.
// Paths are the same inside and outside.

import { sep } from 'node:path';

export type Mount =
  /** `optional`: it may be gone by the time of the launch. */
  | { readonly kind: 'read'; readonly path: string; readonly from?: string; readonly optional?: boolean }
  | { readonly kind: 'write'; readonly path: string; readonly optional?: boolean }
  /** A name that leads elsewhere, as it does outside. */
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  /** A directory of its own that ends with the launch. */
  | { readonly kind: 'empty'; readonly path: string }
  /** A file of which nothing is shown. */
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

/** How what stands at `path` outside is seen there by now, which the last mount above it says; null: not at all. */
export function shownAs(path: string, mounts: readonly Mount[]): 'read' | 'write' | null {
  const above = mounts.findLast((mount) => isWithin(path, mount.path));
  if (above === undefined || above.kind === 'empty' || above.kind === 'blank') return null;
  return above.kind === 'write' ? 'write' : 'read';
}

/**
 * A path under its real name, and under the name it was asked for where that is another. Mounting below a link would
 * follow it out of the sandbox, so the link is made anew unless it is seen already.
 */
export function named(given: string, real: string, before: readonly Mount[]): readonly Mount[] {
  return given === real || shownAs(given, before) !== null ? [] : [{ kind: 'link', path: given, to: real }];
}
