// Starts a shim for a launch directory. Whether it wins the launch is not known here: ask the directory.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

/** The files are few and small: in place they take a tenth of the time that the thread pool would add to every start. */
export async function spawnShim(
  dir: LaunchDir,
  root: string,
  spec: LaunchSpec,
  confine: Confine,
): Promise<ChildProcess> {
  const environment = environmentText(dir, spec);
  requireDirectory(spec.cwd);
  const poll = await tailPoll();
  try {
    prepare(dir, spec);
    const launcher = ['sh', '-c', launcherText, 'sh', spec.cwd, ...spec.argv];
    const command = confine(launcher, { launchId: spec.launchId, root, cwd: spec.cwd });
    const environmentFd = openUnlinked(`${dir.path}/env.tmp`, environment);
    try {
      return await start(dir, [poll, ...command], environmentFd);
    } finally {
      closeSync(environmentFd);
    }
  } catch (error) {
    throw diskFault(error, dir.path);
  }
}

const shimPath = fileURLToPath(new URL('./shim.sh', import.meta.url));

let polled: Promise<string> | undefined;

/** How often tail looks where it gets no notifications, if this one can be told. */
function tailPoll(): Promise<string> {
  polled ??= promisify(execFile)('tail', ['-s', '0.1', '-n', '0', '/dev/null'], { env: { PATH: trustedPath } }).then(
    () => '0.1',
    () => '',
  );
  return polled;
}

/** The first thing to run inside the confinement: takes its directory and environment, leaves no descriptor behind. */
const launcherText = `cd -- "$1" || exit 126
shift
if [ -r /dev/fd/3 ]; then . /dev/fd/3; else eval "$(cat <&3)"; fi
exec 3<&- ${infoFd}>&-
exec "$@"`;

async function start(dir: LaunchDir, shimArguments: readonly string[], environmentFd: number): Promise<ChildProcess> {
  // Detached is a session of its own: neither our terminal nor our process group is its end. No stdio leads here.
  const child = spawn('/bin/sh', [shimPath, dir.path, ...shimArguments], {
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

function prepare(dir: LaunchDir, spec: LaunchSpec): void {
  mkdirSync(dir.path, { recursive: true, mode: 0o700 });
  const { argv, cwd } = spec;
  // Whole before any shim starts, and read by people only.
  const record = { argv, cwd, envNames: Object.keys(spec.env).sort() };
  writeFileSync(dir.spec, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  for (const path of [dir.in, dir.out, dir.err, dir.info]) closeSync(openSync(path, 'a', 0o600));
}

function requireDirectory(path: string): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch (cause) {
    throw new Fault('launch_failed', `no working directory ${path}`, { cause });
  }
  throw new Fault('launch_failed', `${path} is not a directory`);
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
function openUnlinked(path: string, content: string): number {
  // Another start of this launch may be here too: whoever creates the name first, each has its own file.
  const fd = createNew(path) ?? openUnlinked(path, content);
  const bytes = Buffer.from(content);
  // At a position, so that the descriptor itself stays at the beginning.
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
  return fd;
}

function createNew(path: string): number | null {
  rmSync(path, { force: true });
  try {
    const fd = openSync(path, 'wx+', 0o600);
    rmSync(path, { force: true });
    return fd;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    throw error;
  }
}
