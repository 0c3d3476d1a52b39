// What an agent in the sandbox can reach besides files: sockets, processes, the kernel.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasSandbox, openSandboxWorld, type SandboxWorld } from './sandbox-world.ts';

describe.skipIf(!hasSandbox)('the walls of the sandbox', () => {
  let world: SandboxWorld;
  const servers: Server[] = [];
  beforeEach(async () => {
    world = await openSandboxWorld();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await world.close();
  });

  const listen = async (at: string | number): Promise<Server> => {
    const server = createServer((socket) => socket.end('reached\n'));
    servers.push(server);
    await new Promise<void>((done) =>
      server.listen(typeof at === 'number' ? { port: at, host: '127.0.0.1' } : { path: at }, done),
    );
    return server;
  };

  const connect = (to: string): string =>
    `node -e 'require("net").connect(${to}).on("data",(d)=>console.log(String(d).trim())).on("error",(e)=>console.log(e.code))'`;

  it("no socket of the host's is there: ssh-agent, docker, dbus, X11, Signalbox's own [SBX-3]", async () => {
    const paths = [
      join(world.dir, 'ssh-agent.sock'),
      join(world.home, 'daemon.sock'),
      join(world.userHome, 'S.gpg-agent'),
    ];
    for (const path of paths) await listen(path);
    const script = paths.map((path) => connect(JSON.stringify(path))).join('; ');
    expect((await world.sh(script)).out.split('\n')).toEqual(paths.map(() => 'ENOENT'));
    const { out } = await world.sh(
      'find / \\( -path /proc -o -path /usr -o -path /opt \\) -prune -o -type s -print 2>/dev/null; ls /run/user /run/docker.sock /run/dbus /tmp/.X11-unix 2>/dev/null',
    );
    expect(out).toBe('');
  });

  it('the network stays: a port on loopback is reached [SBX-3]', async () => {
    const server = await listen(0);
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect((await world.sh(connect(`${port}, "127.0.0.1"`))).out).toBe('reached');
  });

  it('no process but its own is seen or signalled [SBX-3]', async () => {
    const { out } = await world.sh(
      `ls /proc | grep -c '^[0-9]*$'; ls -d /proc/${process.pid}; kill -0 ${process.pid} || echo unseen`,
    );
    const [count, seen] = out.split('\n');
    expect(Number(count)).toBeLessThan(10);
    expect(seen).toBe('unseen');
  });

  it('it has no capability, can get none and can make no namespace [SBX-3]', async () => {
    const { out } = await world.sh(
      'grep -E "^(Cap(Prm|Eff|Bnd)|NoNewPrivs)" /proc/self/status; unshare -U true 2>/dev/null || echo closed; mount -t tmpfs x /mnt 2>/dev/null || mount -o remount,rw / 2>/dev/null || echo fixed',
    );
    expect(out).toBe(
      ['CapPrm', 'CapEff', 'CapBnd'].map((name) => `${name}:\t0000000000000000`).join('\n') +
        '\nNoNewPrivs:\t1\nclosed\nfixed',
    );
  });

  it("the kernel's settings and memory are out of reach, also where root runs Signalbox [SBX-3]", async () => {
    const before = readFileSync('/proc/sys/kernel/hostname', 'utf8');
    const { out } = await world.sh(
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

  it('its shared memory and message queues are its own [SBX-3]', async () => {
    const ours = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n').length;
    const { out } = await world.sh(
      'readlink /proc/self/ns/ipc /proc/self/ns/uts /proc/self/ns/pid; wc -l </proc/sysvipc/shm',
    );
    expect(ours).toBeGreaterThan(0);
    expect(out.split('\n').at(-1)).toBe('1');
  });

  it('its environment holds what it was given and where toolchains are, nothing of ours [SBX-3]', async () => {
    process.env['SANDBOX_CANARY'] = 'canary-env';
    const { out } = await world.sh(
      'env; cat /proc/[0-9]*/environ | tr "\\0" "\\n"; cat /proc/[0-9]*/cmdline | tr "\\0" " "',
      { env: { GIVEN: 'yes' } },
    );
    delete process.env['SANDBOX_CANARY'];
    expect(out).toContain('GIVEN=yes');
    expect(out).not.toContain('canary-env');
  });
});
