// Starts a shim for a launch directory. Whether it wins the launch is not known here: ask the directory.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, stat, unlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Fault } from '../std/fault.ts';
import { diskFault, errnoOf } from '../std/files.ts';
import { type Confine, infoFd, trustedPath } from './confine.ts';
import type { LaunchDir } from './launch-dir.ts';

export interface LaunchSpec {
  readonly launchId: string;
  /** Seen by every user of the machine: no secrets. */
  readonly argv: readonly string[];
  /** All there will be of an environment, but for the marks that Signalbox adds. Names as in a shell. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** In the environment of shim, feeder and drains; the confinement's own processes have it too. */
export const shimMark = 'SIGNALBOX_SHIM';
/** In the environment of the agent and what it starts. */
export const agentMark = 'SIGNALBOX_MARK';

export async function spawnShim(
  dir: LaunchDir,
  root: string,
  spec: LaunchSpec,
  confine: Confine,
): Promise<ChildProcess> {
  const environment = environmentText(dir, spec);
  await requireDirectory(spec.cwd);
  try {
    await prepare(dir, spec);
    const launcher = ['sh', '-c', launcherText, 'sh', spec.cwd, ...spec.argv];
    const command = confine(launcher, { launchId: spec.launchId, root, cwd: spec.cwd });
    return await withUnlinkedFile(`${dir.path}/env.tmp`, environment, (fd) => start(dir, command, fd));
  } catch (error) {
    throw diskFault(error, dir.path);
  }
}

const shimPath = fileURLToPath(new URL('./shim.sh', import.meta.url));

/** The first thing to run inside the confinement: takes its directory and environment, leaves no descriptor behind. */
const launcherText = `cd -- "$1" || exit 126
shift
eval "$(cat <&3)"
exec 3<&- ${infoFd}>&-
exec "$@"`;

async function start(dir: LaunchDir, command: readonly string[], environmentFd: number): Promise<ChildProcess> {
  // Detached is a session of its own: neither our terminal nor our process group is its end. No stdio leads here.
  const child = spawn('/bin/sh', [shimPath, dir.path, ...command], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', environmentFd],
    env: shimEnvironment(dir),
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new Fault('launch_failed', `cannot start a shim: ${cause.message}`, { cause })),
    );
  });
  child.unref();
  return child;
}

function shimEnvironment(dir: LaunchDir): Record<string, string> {
  // Locale and time zone are those in which process-table.ts reads start times.
  return { PATH: trustedPath, LC_ALL: 'C', TZ: 'UTC', [shimMark]: dir.mark };
}

async function prepare(dir: LaunchDir, spec: LaunchSpec): Promise<void> {
  await mkdir(dir.path, { recursive: true, mode: 0o700 });
  const { argv, cwd } = spec;
  // Whole before any shim starts, and read by people only.
  await writeFile(dir.spec, `${JSON.stringify({ argv, cwd, envNames: Object.keys(spec.env).sort() }, null, 2)}\n`, {
    mode: 0o600,
  });
  for (const path of [dir.in, dir.out, dir.err, dir.info]) await (await open(path, 'a', 0o600)).close();
}

async function requireDirectory(path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Fault('launch_failed', `no working directory ${path}`, { cause });
  });
  if (!found.isDirectory()) throw new Fault('launch_failed', `${path} is not a directory`);
}

/** The text that a shell evaluates to have exactly this environment. */
export function environmentText(dir: LaunchDir, spec: LaunchSpec): string {
  const env = { ...spec.env, SIGNALBOX_LAUNCH: spec.launchId, [agentMark]: dir.mark };
  const exports = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || ownedByShells.has(name) || value.includes('\0')) {
      throw new Fault('bad_request', `the environment cannot hold ${JSON.stringify(name)}`);
    }
    return `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`;
  });
  return [`unset ${Object.keys(shimEnvironment(dir)).join(' ')}`, ...exports, ''].join('\n');
}

/** Some shell or other refuses to have these set. */
const ownedByShells = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'OPTIND', 'PPID', 'SHELLOPTS', 'UID']);

/** A file that only its descriptor leads to, to be read from its beginning. */
async function withUnlinkedFile<T>(path: string, content: string, use: (fd: number) => Promise<T>): Promise<T> {
  // Another start of this launch may be here too: whoever creates the name first, each has its own file.
  await unlinkIfThere(path);
  const file = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    if (errnoOf(error) === 'EEXIST') return null;
    throw error;
  });
  if (file === null) return withUnlinkedFile(path, content, use);
  try {
    await unlinkIfThere(path);
    const bytes = Buffer.from(content);
    // At a position, so that the descriptor itself stays at the beginning.
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    return await use(file.fd);
  } finally {
    await file.close();
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
  });
}
