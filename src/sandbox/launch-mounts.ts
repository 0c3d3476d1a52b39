// All mounts of one launch, from those that every agent gets to its own; a later mount covers an earlier one.

import { join } from 'node:path';
import type { Reach } from '../process/confine.ts';
import { kernelMounts, machineMounts } from './machine-mounts.ts';
import { type Mount, named, shownAs } from './mounts.ts';
import { entryAt, realOf } from './path-look.ts';
import { createPrivateFiles } from './private-files.ts';
import { findProgram } from './program-location.ts';
import { secretPlaces } from './secret-paths.ts';
import { findToolchains } from './toolchains.ts';

export interface ViewOptions {
  /** Signalbox's own directory: hidden, except for the parts that a launch gets. */
  readonly home: string;
  /** Signalbox's cache of compiled code, which runs outside of every sandbox: hidden too. */
  readonly cache: string | null;
  readonly userHome: string;
  /** Where agents look for programs. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the user lets every agent read, and write, besides. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly isRoot: boolean;
}

export interface View {
  /** Variables that tell toolchains where they are, because they would look in HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** `names`: lists of users and groups in which the agent has a name. */
  mounts(reach: Reach, program: string, names: readonly Mount[]): readonly Mount[];
}

export function createView(options: ViewOptions): View {
  const { home, cache, userHome, path, env, readable, writable, isRoot } = options;
  const machine = [...machineMounts(), ...(isRoot ? kernelMounts() : [])];
  const privateFiles = isRoot ? createPrivateFiles('/etc') : () => [];
  const tools = findToolchains({ userHome, path, env, hidden: cache === null ? [home] : [home, cache] });
  return {
    env: tools.env,
    mounts(reach, program, names) {
      const mounts: Mount[] = [...machine, ...names, ...privateFiles()];
      const show = (kind: 'read' | 'write', given: string, optional: boolean): void => {
        const real = realOf(given);
        if (shownAs(real, mounts) !== kind || kind === 'write') mounts.push({ kind, path: real, optional });
        mounts.push(...named(given, real, mounts));
      };
      for (const each of [...tools.paths, ...readable]) show('read', each, true);
      for (const each of writable) show('write', each, true);
      mounts.push(...secretsAmong(mounts, userHome), { kind: 'empty', path: realOf(home) });
      // Also where it does not exist yet: code that an agent put there would be run.
      if (cache !== null && shownAs(realOf(cache), mounts) !== null)
        mounts.push({ kind: 'empty', path: realOf(cache) });
      mounts.push(...named(home, realOf(home), mounts));
      const found = findProgram(program, path, [userHome, home]);
      if (found !== null) {
        show('read', found.root, true);
        for (const link of found.links) mounts.push(...named(link, found.file, mounts));
      }
      for (const each of reach.readable) show('read', each, false);
      for (const each of reach.writable) show('write', each, false);
      return mounts;
    },
  };
}

/** Directories that the user asked to show may contain them. */
function secretsAmong(mounts: readonly Mount[], userHome: string): readonly Mount[] {
  return secretPlaces.flatMap((name): readonly Mount[] => {
    const path = realOf(join(userHome, name));
    if (shownAs(path, mounts) === null) return [];
    const found = entryAt(path);
    if (found?.isDirectory()) return [{ kind: 'empty', path }];
    return found?.isFile() ? [{ kind: 'blank', path }] : [];
  });
}
