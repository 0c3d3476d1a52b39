// What every way of confining an agent promises, as tests. Each implementation declares its promises: those are proved, and
// what all of them promise besides. It must know nothing of how a confinement is made.

import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { never } from '../scenarios/process/process-world.ts';
import { until } from '../until.ts';
import { sandboxFiles } from './sandbox-files.ts';
import { connectTo, listen } from './sandbox-servers.ts';
import { sandboxWalls } from './sandbox-walls.ts';
import type { SandboxWorld } from './sandbox-world.ts';

export interface ConfinementCase {
  readonly open: () => SandboxWorld | Promise<SandboxWorld>;
  readonly promises: readonly ConfinementPromise[];
  /** What an agent reaches of the network. */
  readonly network: 'host' | 'none';
}

/**
 * `launches`: the directories of launches are out of reach. `processes`: an agent sees and signals its own processes only,
 * and all of them die with the outermost. `files`: it writes only where it may, and sees nothing of the user's home, of
 * other agents and of Signalbox. `privileges`: it has none and can get none. `kernel`: sockets, shared memory and kernel
 * settings of the host are out of reach.
 */
export type ConfinementPromise = 'launches' | 'processes' | 'files' | 'privileges' | 'kernel';

export function sandboxConformance(name: string, { open, promises, network }: ConfinementCase): void {
  describe(`confinement: ${name}`, () => {
    let opened: SandboxWorld;
    const world = (): SandboxWorld => opened;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    passesThrough(world);
    endsWhole(world);
    reachesNetwork(world, network);
    if (promises.includes('launches')) hidesLaunches(world);
    if (promises.includes('processes')) ownProcesses(world);
    if (promises.includes('files')) sandboxFiles(world);
    if (promises.includes('privileges')) noPrivileges(world);
    if (promises.includes('kernel')) sandboxWalls(world);
  });
}

function passesThrough(world: () => SandboxWorld): void {
  test('arguments, working directory and exit code pass through', async () => {
    const argv = [
      'sh',
      '-c',
      'pwd; printf "%s|" "$@"; echo; exit 7',
      'sh',
      '',
      'a b',
      `c'd"e$f\\g`,
      'two\nlines',
      '-x',
    ];
    const { status, out } = await world().sh('', { argv });
    expect(out).toBe(`${world().workspace}\n|a b|c'd"e$f\\g|two\nlines|-x|`);
    expect(status).toBe(7);
  });

  test('a signal that ends the command is told by its number', async () => {
    expect((await world().sh('kill -TERM $$')).status).toBe(128 + 15);
  });

  test("programs are found, and the environment is what was given and nothing of Signalbox's own [SBX-3]", async () => {
    process.env['SANDBOX_CANARY'] = 'canary-env';
    try {
      const env = { GIVEN: `a b'c"d$e` };
      const { out, err } = await world().sh('node -p "process.env.GIVEN"; git --version >/dev/null && env', { env });
      expect(out.split('\n')[0], err).toBe(`a b'c"d$e`);
      expect(out).toContain('HOME=');
      expect(out).not.toContain('canary-env');
    } finally {
      delete process.env['SANDBOX_CANARY'];
    }
  });
}

function endsWhole(world: () => SandboxWorld): void {
  test('killing the launch ends all that it started', async () => {
    const mark = `ends-whole-${process.pid}-${Date.now()}`;
    const launchId = await world().start(`sleep 300 & sh -c 'sleep 300; : ${mark}' & echo up >up; wait`);
    await until(() => running(mark) > 0 || null, { timeoutMs: 20_000, what: 'its child' });
    await world().launches.signal(launchId, 'kill');
    expect(running(mark)).toBe(0);
    expect(await world().launches.look(launchId)).toMatchObject({
      kind: expect.stringMatching(/ended|lost/) as string,
    });
  });
}

function reachesNetwork(world: () => SandboxWorld, network: ConfinementCase['network']): void {
  test(`a port on loopback is ${network === 'host' ? 'reached' : 'out of reach'} [SBX-12]`, async () => {
    const server = await listen();
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const { out } = await world().sh(connectTo(`${port}, "127.0.0.1"`));
      if (network === 'host') expect(out).toBe('reached');
      else expect(out).toMatch(/^E(CONNREFUSED|NETUNREACH)$/);
    } finally {
      server.close();
    }
  });
}

function hidesLaunches(world: () => SandboxWorld): void {
  test('the directories of launches are out of reach [SBX-2]', async () => {
    const { out } = await world().sh(`find '${world().home}/launches' -type f 2>/dev/null; true`);
    expect(out).toBe('');
  });
}

function ownProcesses(world: () => SandboxWorld): void {
  test('no process but its own is seen or signalled [SBX-3]', async () => {
    const { out } = await world().sh(
      `ls /proc | grep -c '^[0-9]*$'; ls -d /proc/${process.pid}; kill -0 ${process.pid} || echo unseen`,
    );
    const [count, seen] = out.split('\n');
    expect(Number(count)).toBeLessThan(10);
    expect(seen).toBe('unseen');
  });

  test('in the environment and arguments of all processes it sees stands nothing of Signalbox [SBX-3]', async () => {
    process.env['SANDBOX_CANARY'] = 'canary-env';
    try {
      const script = 'cat /proc/[0-9]*/environ | tr "\\0" "\\n"; cat /proc/[0-9]*/cmdline | tr "\\0" " "';
      const { out } = await world().sh(script, { env: { GIVEN: 'yes' } });
      expect(out).toContain('GIVEN=yes');
      expect(out).not.toContain('canary-env');
    } finally {
      delete process.env['SANDBOX_CANARY'];
    }
  });

  test('killing the outermost process ends all that it started, also what left its session', async () => {
    const mark = `outermost-${process.pid}-${Date.now()}`;
    const launchId = await world().start(`setsid env -i sh -c 'sleep 300; : ${mark}' & wait`);
    await until(() => running(mark) > 0 || null, { timeoutMs: 20_000, what: 'its child' });
    const observation = await world().launches.look(launchId);
    if (observation.kind !== 'alive') throw new Error(`the launch is ${observation.kind}`);
    process.kill(observation.identity.pid, 'SIGKILL');
    await until(() => running(mark) === 0 || null, { timeoutMs: 20_000, what: 'the end of all' });
    await world().launches.watch(launchId, 0, async () => undefined, never);
  });
}

function noPrivileges(world: () => SandboxWorld): void {
  test('it has no capability, can get none and can make no namespace [SBX-3]', async () => {
    const { out } = await world().sh(
      'grep -E "^(Cap(Prm|Eff|Bnd)|NoNewPrivs)" /proc/self/status; unshare -U true 2>/dev/null || echo closed; mount -t tmpfs x /mnt 2>/dev/null || mount -o remount,rw / 2>/dev/null || echo fixed',
    );
    expect(out).toBe(
      ['CapPrm', 'CapEff', 'CapBnd'].map((name) => `${name}:\t0000000000000000`).join('\n') +
        '\nNoNewPrivs:\t1\nclosed\nfixed',
    );
  });
}

/** How many processes have this text in their arguments. */
function running(mark: string): number {
  const rows = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(mark) && row.startsWith('sh ')).length;
}
