// Starts a shim for a launch directory. Whether it wins the launch is not known here: ask the directory.

import { type ChildProcess, execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { assert } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { diskFault } from '../std/files.ts';
import { type Confine, infoFd, trustedPath } from './confine.ts';
import type { LaunchDir } from './launch-dir.ts';
import { giveOrder, shimEnvironment, takeShim } from './spare-shim.ts';

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
  assert(!dir.path.includes('\n'), `launch directory ${JSON.stringify(dir.path)}`);
  requireDirectory(spec.cwd);
  const poll = await tailPoll();
  try {
    prepare(dir, spec);
    const launcher = ['sh', '-c', launcherText, 'sh', spec.cwd, ...spec.argv];
    const command = confine(launcher, { launchId: spec.launchId, root, cwd: spec.cwd });
    const order = `export ${shimMark}=${dir.mark}\npoll=${poll}\nset -- ${command.map(quoted).join(' ')}\n`;
    replaceFile(`${dir.path}/order`, order);
    const shim = await takeShim();
    try {
      return giveOrder(shim, dir.path, environment);
    } finally {
      closeSync(shim.environmentFd);
    }
  } catch (error) {
    throw diskFault(error, dir.path);
  }
}

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
    return `export ${name}=${quoted(value)}`;
  });
  return [`unset ${[...Object.keys(shimEnvironment), shimMark].join(' ')}`, ...exports, ''].join('\n');
}

/** Some shell or other refuses to have these set. */
const ownedByShells = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'OPTIND', 'PPID', 'SHELLOPTS', 'UID']);

function quoted(text: string): string {
  assert(!text.includes('\0'), 'an argument cannot hold a zero byte');
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

let replacements = 0;

/** By rename, because the shim of another start may be reading it. */
function replaceFile(path: string, content: string): void {
  replacements += 1;
  const temporary = `${path}.${process.pid}-${replacements}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
}
