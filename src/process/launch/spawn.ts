// Starts a shim for a launch directory. Whether that shim wins the launch is decided in the directory, not here.

import { closeSync, mkdirSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchSpec } from '../../ports/launch-port.ts';
import { assert } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault } from '../../std/files.ts';
import { shellQuote } from '../../std/shell-quote.ts';
import { type Confine, infoFd } from '../confine.ts';
import type { LaunchDir } from './launch-dir.ts';
import {
  discard,
  giveOrder,
  lendDirectory,
  type SpareShim,
  shimEnvironment,
  spareFiles,
  takeShim,
} from './spare-shim.ts';

/** In the environment of shim, feeder and drains; the confinement's own processes have it too. */
export const shimMark = 'SIGNALBOX_SHIM';
/** In the environment of the agent and what it starts. */
export const agentMark = 'SIGNALBOX_MARK';

/** A launch to be started, and where. */
export interface Order {
  readonly dir: LaunchDir;
  readonly root: string;
  readonly spec: LaunchSpec;
  readonly confine: Confine;
}

/** The caller discards the shim when the launch is claimed. */
// The files are few and small: written synchronously, they take a tenth of the time that the thread pool would add.
export async function spawnShim({ dir, root, spec, confine }: Order): Promise<SpareShim> {
  const environment = environmentText(dir, spec);
  assert(!dir.path.includes('\n'), `launch directory ${JSON.stringify(dir.path)}`);
  requireDirectory(spec.cwd);
  try {
    const shim = await takeShim(root);
    try {
      const launcher = ['sh', '-c', launcherText, 'sh', spec.cwd, ...spec.argv];
      const { launchId, cwd, argv, reach = null } = spec;
      const command = confine(launcher, { launchId, root, cwd, program: argv[0] ?? '', reach });
      const order = `export ${shimMark}=${dir.mark}\nset -- ${command.map(shellQuote).join(' ')}\n`;
      const isLent = prepare(dir, shim, { 'spec.json': record(spec), order });
      giveOrder(shim, { directory: dir.path, isLent }, environment);
      return shim;
    } catch (error) {
      discard(shim);
      throw error;
    }
  } catch (error) {
    throw diskFault(error, dir.path);
  }
}

/**
 * The first program inside the confinement: changes to its directory, sets the environment and closes its descriptors. A shell
 * command stays in the shell that runs this, $0, which a sandbox guards.
 */
const launcherText = `cd -- "$1" || exit 126
shift
if [ -r /dev/fd/3 ]; then . /dev/fd/3; else eval "$(cat <&3)"; fi
exec 3<&- ${infoFd}>&-
if [ "$1 $2 \${4-sh}" = 'sh -c sh' ]; then
  text=$3
  if [ $# -eq 3 ]; then set -- "$0" -c "$text" sh; else shift 4 && set -- "$0" -c "$text" "$0" "$@"; fi
fi
exec "$@"`;

/**
 * True if the shim's directory became the launch's. All files are written there first, so a reader sees complete files,
 * and a killed supervisor leaves incomplete ones only in a directory that is removed.
 */
function prepare(dir: LaunchDir, shim: SpareShim, files: Readonly<Record<string, string>>): boolean {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(shim.path, name), text, { mode: 0o600 });
  if (lendDirectory(shim, dir)) return true;
  mkdirSync(dir.path, { recursive: true, mode: 0o700 });
  for (const name of Object.keys(files)) renameSync(join(shim.path, name), join(dir.path, name));
  for (const name of spareFiles) closeSync(openSync(join(dir.path, name), 'a', 0o600));
  return false;
}

/** Read by people only. */
function record({ argv, cwd, env }: LaunchSpec): string {
  return `${JSON.stringify({ argv, cwd, envNames: Object.keys(env).sort() }, null, 2)}\n`;
}

function requireDirectory(path: string): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch (cause) {
    throw new Fault('launch_failed', `the working directory ${path} does not exist`, { cause });
  }
  throw new Fault('launch_failed', `the working directory ${path} is not a directory`);
}

/** The text that a shell evaluates to have exactly this environment. */
export function environmentText(dir: LaunchDir, spec: LaunchSpec): string {
  const env = { ...spec.env, SIGNALBOX_LAUNCH: spec.launchId, [agentMark]: dir.mark };
  const exports = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || ownedByShells.has(name) || value.includes('\0')) {
      throw new Fault(
        'bad_request',
        `the environment variable ${JSON.stringify(name)} cannot be set: its name or value is not allowed`,
      );
    }
    return `export ${name}=${shellQuote(value)}`;
  });
  return [`unset ${[...Object.keys(shimEnvironment), shimMark].join(' ')}`, ...exports, ''].join('\n');
}

/** Some shell or other refuses to have these set. */
const ownedByShells = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'OPTIND', 'PPID', 'SHELLOPTS', 'UID']);
