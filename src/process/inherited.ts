// Closes descriptors that the daemon inherited. They would be passed on to every agent: a terminal, or a pipe of a CI
// runner that then never ends. Node cannot mark them and a shell cannot name them all, so the daemon closes them when
// it starts.

import { closeSync, readdirSync, readFileSync } from 'node:fs';

const closeOnExec = 0o2000000;

/**
 * Closes all descriptors above 2 that would be inherited by a child; Node's own never are. To be called first in a
 * daemon's main, never in a process that has an IPC channel. Only Linux can tell them apart.
 */
export function closeInherited(): void {
  if (process.platform !== 'linux') return;
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd > 2 && isInheritable(fd)) closeSync(fd);
  }
}

function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The descriptor that listed the directory.
    return false;
  }
}
