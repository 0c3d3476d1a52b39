// Keeps a command's processes together so that all of them can be ended: in a pid namespace, or by session and
// environment. A confinement turns an argument list into another one and writes `info` to descriptor 4 (see launch-
// dir.ts). What the agent may see and do is up to the sandbox.

import type { Reach } from '../ports/launch-port.ts';
import { runOnce } from './confinement-probe.ts';

export { trustedPath } from './trusted-path.ts';

export interface ConfineContext {
  readonly launchId: string;
  /** The root of all launch directories: the agent must not reach it by path. */
  readonly root: string;
  readonly cwd: string;
  /** The agent's program, as it is looked up. */
  readonly program: string;
  /** null: everything the user can reach. */
  readonly reach: Reach | null;
}

export type { Reach } from '../ports/launch-port.ts';

/** Descriptor 3 must reach the command (its environment is read from there); 4 takes `info`. */
export type Confine = (argv: readonly string[], context: ConfineContext) => readonly string[];

export const infoFd = 4;

/** The descriptor on which a confinement reports on a waited-for command; the command itself cannot write to it. */
export const statusFd = 3;

/** Whether the command was started at all: only then the report says how it ended. */
export function hasBegun(status: string): boolean {
  return status.includes('"exit-code"');
}

/** The name under which a confinement starts a waited-for command, and says that it cannot. */
export const relayName = 'signalbox';

/** Why the command could not be started, if its exit status and the end of its output say so; else null. */
export function startFailure(code: number, output: string): string | null {
  return code === 126 || code === 127 ? (startFailureLine.exec(output)?.[1] ?? null) : null;
}

const startFailureLine = new RegExp(`^${relayName}: .*: ([^:\\n]+)$`, 'm');

/**
 * No namespace: a session of its own where there is setsid, and the environment mark. Weak: a process that forks
 * twice and clears its environment outlives every stop. Without setsid (macOS) an agent's `kill 0` takes its shim along.
 */
export const plainConfine: Confine = (argv) => ['sh', '-c', plainLauncher, 'sh', ...argv];

/** A pid namespace: when its init dies, and it dies with the shim, all in it die. */
export const namespaceConfine: Confine = (argv, { root }) => [
  'bwrap',
  ...namespaceOptions,
  '--info-fd',
  String(infoFd),
  '--tmpfs',
  root,
  '--',
  ...argv,
];

export type NamespaceProbe = { readonly works: true } | { readonly works: false; readonly why: string };

/** Runs bwrap once, as a launch would. */
export async function probeNamespace(): Promise<NamespaceProbe> {
  const failure = await tryBwrap(namespaceOptions);
  if (failure === null) return { works: true };
  const withoutProc = await tryBwrap(namespaceOptions.filter((option) => option !== '--proc' && option !== '/proc'));
  // Not good enough to use: an agent that sees the host's /proc reaches `out` through its shim's descriptors.
  return { works: false, why: withoutProc === null ? `${failure} (only a fresh /proc is refused)` : failure };
}

const namespaceOptions: readonly string[] = [
  '--unshare-pid',
  '--die-with-parent',
  // Signals to "my process group" cross pid namespaces: without its own session an agent's `kill 0` ends the shim.
  '--new-session',
  '--dev-bind',
  '/',
  '/',
  '--proc',
  '/proc',
  // The shim's directory is hidden, so there is none to stay in; the launcher changes to the right one.
  '--chdir',
  '/',
];

function tryBwrap(options: readonly string[]): Promise<string | null> {
  return runOnce('bwrap', [...options, '--', 'sh', '-c', ':']);
}

// Runs as the shim's child and becomes the command, so its pid and start time are the command's. setsid(1) forks
// only for a group leader, which a child of the shim is not.
const plainLauncher = `
set -f
if [ -r /proc/self/stat ]; then
  read -r stat </proc/$$/stat
  started() { start=\${20}; }
  started \${stat##*) }
else
  started() { start=$*; }
  started $(ps -o lstart= -p $$)
fi
printf '{"child-pid": %s, "start": "%s"}\\n' "$$" "$start" >&${infoFd}
exec ${infoFd}>&-
if command -v setsid >/dev/null; then exec setsid "$@"; fi
exec "$@"
`;
