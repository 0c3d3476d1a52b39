// What a sandbox keeps out of an agent's reach besides files: sockets, shared memory and settings of the kernel.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectTo, listen } from './sandbox-servers.ts';
import type { SandboxWorld } from './sandbox-world.ts';

export function sandboxWalls(world: () => SandboxWorld): void {
  test("no socket of the host's is there: ssh-agent, docker, dbus, X11, Signalbox's own [SBX-3]", async () => {
    const paths = [
      join(world().dir, 'ssh-agent.sock'),
      join(world().home, 'daemon.sock'),
      join(world().userHome, 'S.gpg-agent'),
    ];
    const servers = await Promise.all(paths.map(listen));
    const script = paths.map((path) => connectTo(JSON.stringify(path))).join('; ');
    const reached = await world().sh(script);
    for (const server of servers) server.close();
    expect(reached.out.split('\n')).toEqual(paths.map(() => 'ENOENT'));
    const { out } = await world().sh(
      'find / \\( -path /proc -o -path /usr -o -path /opt \\) -prune -o -type s -print 2>/dev/null; ls /run/user /run/docker.sock /run/dbus /tmp/.X11-unix 2>/dev/null',
    );
    expect(out).toBe('');
  });

  test("the kernel's settings and memory are out of reach, also where root runs Signalbox [SBX-3]", async () => {
    const before = readFileSync('/proc/sys/kernel/hostname', 'utf8');
    const { out } = await world().sh(
      'find /proc/sys /sys /proc/sysrq-trigger -type f -writable 2>/dev/null | head -3; head -c 4 /proc/kcore /proc/kmsg /proc/kpageflags 2>/dev/null | grep -v "==>" | wc -c; ls /sys; find /dev -type b',
    );
    expect(
      out
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => !/^\d$/.test(line)),
    ).toEqual(['devices', 'fs', 'kernel']);
    expect(readFileSync('/proc/sys/kernel/hostname', 'utf8')).toBe(before);
  });

  test('its shared memory and message queues are its own [SBX-3]', async () => {
    const ours = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n').length;
    const { out } = await world().sh(
      'readlink /proc/self/ns/ipc /proc/self/ns/uts /proc/self/ns/pid; wc -l </proc/sysvipc/shm',
    );
    expect(ours).toBeGreaterThan(0);
    expect(out.split('\n').at(-1)).toBe('1');
  });
}
