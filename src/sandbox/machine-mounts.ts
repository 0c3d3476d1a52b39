// What every agent sees of the machine: the installed system and its configuration, read-only. It is a list of what is
// shown, not of what is hidden: homes, data and sockets are in no list.

import { readlinkSync } from 'node:fs';
import type { Mount } from './mounts.ts';
import { entryAt, realOf } from './path-look.ts';

/** Programs and libraries. On some systems half of these are links into /usr. */
const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix', '/gnu'];

/** Single directories of trees that are otherwise hidden: certificates, and the list of installed packages. */
const state = [
  '/etc',
  '/run/current-system',
  '/var/lib/alternatives',
  '/var/lib/ca-certificates',
  '/var/lib/dpkg',
  '/var/lib/rpm',
];

/** Number of processors and size of memory. The rest of /sys is, for root, a way into the kernel. */
const kernel = ['/sys/devices/system', '/sys/fs/cgroup', '/sys/kernel/mm'];

/** Found once: what is installed while the daemon runs appears in the same directories. */
export function machineMounts(): readonly Mount[] {
  const shown = [...programs, ...state, ...kernel].flatMap(asItIs);
  const own = ['/tmp', '/var/tmp', '/run/lock'].map((path): Mount => ({ kind: 'empty', path }));
  return [...shown, ...own, ...nameServers()];
}

function asItIs(path: string): readonly Mount[] {
  const found = entryAt(path);
  if (found === null) return [];
  if (found.isSymbolicLink() && !path.startsWith('/run/')) return [{ kind: 'link', path, to: readlinkSync(path) }];
  return [{ kind: 'read', path, optional: true }];
}

/** Usually a link from /etc into a directory full of sockets, of which only this file is needed. */
function nameServers(): readonly Mount[] {
  const path = realOf('/etc/resolv.conf');
  return path.startsWith('/etc/') ? [] : [{ kind: 'read', path, optional: true }];
}

/**
 * What the kernel lets root do by its number alone, capabilities or not: set sysctls, read memory maps. For any other
 * user the permissions of these files say no.
 */
export function kernelMounts(): readonly Mount[] {
  const closed = ['fs', 'sys', 'sysrq-trigger'].flatMap((name): Mount[] =>
    entryAt(`/proc/${name}`) !== null ? [{ kind: 'read', path: `/proc/${name}` }] : [],
  );
  const blank = ['kcore', 'keys', 'kmsg', 'kpagecgroup', 'kpagecount', 'kpageflags', 'sched_debug', 'timer_list'];
  return [...closed, ...blank.flatMap(blankOf)];
}

function blankOf(name: string): readonly Mount[] {
  return entryAt(`/proc/${name}`) !== null ? [{ kind: 'blank', path: `/proc/${name}` }] : [];
}
