// The sandbox `workspace`: an agent sees the machine's programs and configuration and the user's toolchains, read-only, and
// writes to what it was given, its own /tmp and nothing else. It has no capability, no process of others in sight, no
// socket of the host on a path, and nothing of the user's home. The network stays, and with it what listens there: ports
// on loopback, and sockets that have no path.
//
// Caches (npm, pip, cargo…) are in the agent's own home, because that is its HOME. Shared ones would save downloads, and
// let one agent that was talked into it plant code that the next one runs.

import { join } from 'node:path';
import { type Confine, infoFd, type Reach, statusFd } from '../process/confine.ts';
import { runOnce } from '../process/confinement-probe.ts';
import { must } from '../std/assert.ts';
import { readIfThere } from '../std/files.ts';
import { type AgentUser, agentUser, type Means, meansToTry, nameMounts, userOptions } from './agent-user.ts';
import { makeGuardedShell } from './guarded-shell.ts';
import { createView, type View, type ViewOptions } from './launch-mounts.ts';
import { type Mount, mountOptions } from './mounts.ts';

export type SandboxOptions = Omit<ViewOptions, 'isRoot'>;

export type SandboxProbe =
  | { readonly works: true; readonly means: Means; readonly user: AgentUser; readonly view: View }
  | { readonly works: false; readonly why: string };

/** Tries the sandbox as a launch would get it, with the strictest means first. Changes nothing. */
export async function probeSandbox(options: SandboxOptions): Promise<SandboxProbe> {
  const outside = ourselves();
  const passwd = (await readIfThere('/etc/passwd')) ?? '';
  const view = createView({ ...options, isRoot: outside.uid === 0 });
  const shown = view.mounts({ readable: [], writable: [] }, 'sh', []);
  let why = '';
  for (const means of meansToTry(outside.uid)) {
    const user = agentUser(means, outside, passwd);
    why = (await runOnce('bwrap', [...sandboxOptions(means, user, shown), '--', 'sh', '-c', probeText])) ?? '';
    if (why === '') return { works: true, means, user, view };
  }
  return { works: false, why };
}

/** What an agent in it may do, in a sentence. */
export function describeSandbox({ means }: Extract<SandboxProbe, { works: true }>): string {
  const user = means.user ? 'as an unprivileged user' : 'as uid 0 without any capability';
  return `Agents write only to their workspace, their home and a /tmp of their own, see nothing of your home, and run ${user}.`;
}

export interface Sandbox {
  /** For launches. */
  readonly confine: Confine;
  /** For a command that a caller waits for, in a directory that it may use, with its own environment. See `statusFd`. */
  command(argv: readonly string[], cwd: string, reach: Reach): readonly string[];
}

/** `home`: the one that was probed with. */
export async function openSandbox(
  home: string,
  { means, user, view }: Extract<SandboxProbe, { works: true }>,
): Promise<Sandbox> {
  const folder = join(home, 'sandbox');
  const names = await nameMounts(folder, user);
  const shell = await makeGuardedShell(folder);
  const variables = Object.entries(view.env).flatMap(([name, value]) => ['--setenv', name, value]);
  const inside = (reach: Reach, program: string, cwd = '/'): readonly string[] => {
    const mounts: Mount[] = [...view.mounts(reach, program, names), { kind: 'read', path: shell.path }];
    return ['bwrap', ...sandboxOptions(means, user, mounts, cwd), ...variables];
  };
  return {
    confine(argv, { reach, program }) {
      const wall = inside(must(reach, 'a launch in the sandbox says what it reaches'), program);
      return [...wall, '--info-fd', String(infoFd), ...shell.guard(argv)];
    },
    command: (argv, cwd, reach) => [
      ...inside(reach, argv[0] ?? '', cwd),
      '--json-status-fd',
      String(statusFd),
      ...shell.guard(argv),
    ],
  };
}

// bwrap would print a warning about a second --chdir where the command's own output is expected.
function sandboxOptions(means: Means, user: AgentUser, mounts: readonly Mount[], cwd = '/'): readonly string[] {
  return [...isolation, ...userOptions(means, user), ...mountOptions(mounts), '--remount-ro', '/', '--chdir', cwd];
}

const isolation: readonly string[] = [
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--die-with-parent',
  // Without a session of its own an agent could type into the terminal that the daemon was started from.
  '--new-session',
  '--cap-drop',
  'ALL',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
];

// Tries what must not be possible.
const probeText = `
: >/tmp/probe || exit 1
for path in / /etc /etc/passwd /usr/bin /proc/sys/kernel/core_pattern; do
  if [ -w "$path" ]; then echo "$path can be written to" >&2; exit 1; fi
done
`;

function ourselves(): AgentUser {
  return { uid: must(process.getuid, 'this system has users')(), gid: must(process.getgid, 'and groups')() };
}
