// The user's own programs: compilers, interpreters and version managers in their home or elsewhere. They are shown
// read-only, and nothing beside them.

import { basename, dirname, join } from 'node:path';
import { isWithin } from './mounts.ts';
import { isDirectory, namesIn, realOf } from './path-look.ts';

export interface ToolchainOptions {
  readonly userHome: string;
  /** Where agents look for programs. */
  readonly path: string;
  /** The environment in which the user's own shell finds its toolchains. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Never shown, nor anything above them. */
  readonly hidden: readonly string[];
}

export interface Toolchains {
  /** In the order of their names; as they were asked for, links not resolved. */
  readonly paths: readonly string[];
  /** A toolchain looks for itself in HOME, which is a different directory inside. */
  readonly env: Readonly<Record<string, string>>;
}

/** Directories that hold programs and no personal files. `.cargo`, `.local` and the like are not among them. */
const inHome = [
  '.asdf',
  '.bun/bin',
  '.cargo/bin',
  '.claude/local',
  '.deno/bin',
  '.dotnet',
  '.elan',
  '.fnm',
  '.ghcup',
  '.goenv',
  '.juliaup',
  '.jenv',
  '.local/bin',
  '.local/lib',
  '.local/pipx',
  '.local/share/claude',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pipx',
  '.local/share/pnpm',
  '.local/share/rtx',
  '.local/share/uv',
  '.nodenv',
  '.npm-global',
  '.nvm',
  '.opencode/bin',
  '.proto',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.rvm',
  '.sdkman',
  '.volta',
  'anaconda3',
  'go/bin',
  'miniconda3',
  'miniforge3',
  'n',
  'sdk',
];

/** Variables that say where a toolchain is, and where it is when they say nothing. */
const locations: readonly (readonly [name: string, usual: string | null])[] = [
  ['ASDF_DATA_DIR', '.asdf'],
  ['DOTNET_ROOT', null],
  ['FNM_DIR', null],
  ['GOROOT', null],
  ['JAVA_HOME', null],
  ['MISE_DATA_DIR', '.local/share/mise'],
  ['NVM_DIR', '.nvm'],
  ['PYENV_ROOT', '.pyenv'],
  ['RBENV_ROOT', '.rbenv'],
  ['RUSTUP_HOME', '.rustup'],
  ['SDKMAN_DIR', '.sdkman'],
  ['UV_PYTHON_INSTALL_DIR', '.local/share/uv/python'],
  ['VOLTA_HOME', '.volta'],
];

/** What of the user's environment tells where their toolchains are. */
export const toolchainVariables: readonly string[] = locations.map(([name]) => name);

/** Directories beside a directory of programs that belong to it; files beside it may be anything, credentials too. */
const companions = new Set(['Cellar', 'bin', 'lib', 'lib32', 'lib64', 'libexec', 'opt', 'sbin', 'shims', 'versions']);

export function findToolchains({ userHome, path, env, hidden }: ToolchainOptions): Toolchains {
  const wide = underAllNames([userHome, ...hidden]);
  const isFit = (folder: string): boolean => isDirectory(folder) && !holdsAny(folder, wide);
  const located = locations.flatMap(([name, usual]): [string, string][] => {
    const folder = env[name] ?? (usual === null ? undefined : join(userHome, usual));
    return folder?.startsWith('/') && isFit(folder) ? [[name, folder]] : [];
  });
  const known = inHome.map((name) => join(userHome, name)).filter(isFit);
  const onPath = path.split(':').filter((folder) => folder.startsWith('/') && isFit(folder));
  const paths = [...known, ...located.map(([, folder]) => folder), ...onPath.flatMap(withCompanions)];
  return { paths: outermost(paths.filter(isFit)), env: Object.fromEntries(located) };
}

/** Whether showing this would show what is to be hidden. */
export function isTooWide(path: string, hidden: readonly string[]): boolean {
  return holdsAny(path, underAllNames(hidden));
}

function holdsAny(folder: string, paths: readonly string[]): boolean {
  return underAllNames([folder]).some((name) => paths.some((path) => isWithin(path, name)));
}

function underAllNames(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => [path, realOf(path)]);
}

function withCompanions(folder: string): readonly string[] {
  const prefix = dirname(folder);
  if (!companions.has(basename(folder))) return [folder];
  return [folder, ...namesIn(prefix).flatMap((name) => (companions.has(name) ? [join(prefix, name)] : []))];
}

function outermost(paths: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const path of [...new Set(paths)].toSorted()) {
    if (!kept.some((other) => isWithin(path, other))) kept.push(path);
  }
  return kept;
}
