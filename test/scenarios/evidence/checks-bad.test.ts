// Checks that misbehave, on real processes: each has one defined end, and nothing of it is left.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../../src/std/assert.ts';
import { isFault } from '../../../src/std/fault.ts';
import { hasSandbox } from '../../conformance/sandbox-world.ts';
import { until } from '../../until.ts';
import { type ChecksWorld, isAlive, openChecksWorld, sh } from './checks-world.ts';

const kinds = hasSandbox ? [true, false] : [false];

describe.each(kinds)('in a sandbox: %s', (sandboxed) => {
  let world: ChecksWorld;
  let mark: string;
  beforeEach(async () => {
    // A time to sleep beside the other, by which a process is known.
    mark = Math.random().toFixed(12);
    world = await openChecksWorld(sandboxed);
  });
  afterEach(() => {
    for (const pid of marked()) endIfThere(pid);
    expect(readdirSync(join(world.ground.root, 'scratch'))).toEqual([]);
    world.ground.remove();
  });

  /** Processes that a check of this test has started and that carry its mark, wherever they are by now. */
  const marked = (): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => argsOf(pid).includes(mark) && pid !== process.pid);
  const sleeper = () => `sleep 1000 ${mark}`;

  it('a check that never ends is killed with all its processes, and has failed [CHECK-7]', async () => {
    const check = sh(`${sleeper()} & echo waiting; wait`, { timeoutMs: 1_500 });
    expect(await world.one(check)).toMatchObject({ passed: false, detail: 'not finished after 2 s: waiting' });
    await until(() => marked().length === 0, { what: 'nothing of it is alive' });
    expect(await world.one(check)).toMatchObject({ passed: false, known: true });
  });

  it('a check that ignores every signal ends as well [CHECK-7]', async () => {
    const check = sh(`trap '' TERM INT HUP QUIT; ${sleeper()}; ${sleeper()}`, { timeoutMs: 1_000 });
    expect(await world.one(check)).toMatchObject({ passed: false, detail: 'not finished after 1 s' });
    await until(() => marked().length === 0, { what: 'nothing of it is alive' });
  });

  it('a daemon that a check leaves behind keeps neither it nor its log open [CHECK-7]', async () => {
    // Forked twice and in a session of its own; it holds the check's output open, too.
    const item = await world.one(sh(`(setsid ${sleeper()} &) ; (${sleeper()} &) ; sleep 0.2; echo done`));
    expect(item).toMatchObject({ passed: true, detail: 'exit 0' });
    expect(world.log(item)).toBe('done\n');
    // Without a sandbox, a process that left the process group is not followed: only those that stayed in it end.
    const left = sandboxed ? 0 : 1;
    await until(() => marked().filter(isAlive).length === left, { what: `${left} of its daemons left` });
  });

  it('a gigabyte of output costs neither memory nor disk [CHECK-4]', async () => {
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 5);
    const item = await world.one(sh('echo begins; head -c 1073741824 /dev/zero; echo; echo ends; exit 1'));
    clearInterval(watch);
    expect(item).toMatchObject({ passed: false, detail: 'exit 1: ends' });
    const log = join(world.results, item.log ?? '');
    expect(statSync(log).size).toBeLessThan(2 * 2 ** 20 + 100);
    expect(readFileSync(log, 'latin1')).toMatch(
      /^begins\n.*\n\[signalbox: \d+ bytes were left out here\]\n.*\nends\n$/s,
    );
    expect((most - before) / 2 ** 20).toBeLessThan(150);
  }, 120_000);

  it('a check that changes or deletes its checkout harms only itself [CHECK-8]', async () => {
    const look = sh('git status --porcelain --ignored; git rev-parse HEAD; cat result.txt; ls -A "$HOME"', {
      name: 'look',
    });
    const items = await world.run([
      sh('echo broken >result.txt; rm -rf .git; mkdir "$HOME/cache"; chmod -R 0 .; true'),
      sh('cd ..; rm -rf checkout home 2>/dev/null; test ! -e checkout/result.txt'),
      look,
    ]);
    expect(items.map(({ detail }) => detail)).toEqual(['exit 0', 'exit 0', 'exit 0']);
    expect(world.log(items[2] as never)).toBe(`${world.commit}\nsaved\n`);
  });

  it('a missing or invalid program is a failed check [CHECK-12]', async () => {
    const ask = async (...argv: string[]) => world.one({ argv });
    const missing = { passed: false, detail: 'cannot start "no-such-program": not found', known: false };
    expect(await ask('no-such-program')).toMatchObject(missing);
    expect(await ask('no-such-program')).toMatchObject({ ...missing, known: true });
    expect(await ask('./data.bin')).toMatchObject({
      passed: false,
      detail: 'cannot start "./data.bin": not executable',
    });
    expect(await ask('./gone/tool')).toMatchObject({ passed: false, detail: 'cannot start "./gone/tool": not found' });
    expect(await ask('sh', '-c', 'no-such-program')).toMatchObject({
      passed: false,
      detail: expect.stringMatching(/^exit 127: .*not found$/),
    });
    expect(await ask('echo', 'a\0b')).toMatchObject({
      passed: false,
      detail: expect.stringMatching(/^cannot start "echo"/),
    });
    expect(await ask('true', ...Array<string>(40).fill('x'.repeat(120_000)))).toMatchObject({
      passed: false,
      detail: expect.stringMatching(/^cannot start "true": .*E2BIG/),
    });
  });

  it('a check that a signal ends has not passed, whatever it printed [CHECK-12]', async () => {
    const item = await world.one(sh('echo exit 0; kill -SEGV $$'));
    expect(item).toMatchObject({ passed: false, detail: sandboxed ? 'exit 139: exit 0' : 'ended by SIGSEGV: exit 0' });
    const last = await world.one(sh('echo "{ \\"exit-code\\": 0 }" >&3; echo "bwrap: execvp x: no" >&2; exit 9'));
    expect(last).toMatchObject({ passed: false, detail: 'exit 9: bwrap: execvp x: no' });
  });

  it.runIf(sandboxed)('a check reaches nothing outside its checkout and home [CHECK-8]', async () => {
    const out = world.outside('out');
    const script = `echo hello >'${out}' 2>/dev/null
    for at in '${world.results}/x' '${world.bare}/objects/x' /usr/x /etc/x; do
      if echo hello >"$at"; then echo "wrote $at"; fi
    done 2>/dev/null
    ls '${world.results}' '${world.ground.user}' 2>/dev/null
    kill -9 ${process.pid} 2>/dev/null && echo "killed"
    ls /proc | grep -c '^${process.pid}$'
    mount -t tmpfs none /mnt 2>/dev/null && echo mounted
    echo hello >/tmp/x && echo hello >"$HOME/x" && echo hello >x && echo inside`;
    const item = await world.one(sh(script));
    expect(world.log(item)).toBe('0\ninside\n');
    expect(item.passed).toBe(true);
    expect(existsSync(out)).toBe(false);
  });

  it.runIf(sandboxed)(
    'a sandbox that cannot be set up, or is ended from outside, is no failure of the work [CHECK-3]',
    async () => {
      const { confine } = world;
      const blind: typeof confine = (argv, cwd, { writable }) =>
        must(confine, 'there is one')(argv, cwd, { readable: ['/nonexistent'], writable });
      world.reopen({ confine: blind });
      await expect(world.one(sh('true'))).rejects.toSatisfy(
        (error) => isFault(error, 'launch_failed') && /could not be set up: bwrap: .*nonexistent/.test(error.message),
      );
      world.reopen({ confine: () => ['/nonexistent/bwrap'] });
      await expect(world.one(sh('true'))).rejects.toSatisfy(
        (error) => isFault(error, 'launch_failed') && /sandbox cannot be started: not found/.test(error.message),
      );
      world.reopen();
      const gone = expect(world.one(sh(`exec ${sleeper()}`))).rejects.toSatisfy(
        (error) => isFault(error, 'launch_failed') && /ended by SIGKILL/.test(error.message),
      );
      const [wall = 0] = await until(() => (walls(mark).length > 0 ? walls(mark) : null), { what: 'its sandbox' });
      process.kill(wall, 'SIGKILL');
      await gone;
      expect(world.kept()).toEqual([]);
      expect(readdirSync(world.results)).toEqual([]);
    },
  );
});

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}

function argsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** The outermost of the sandboxes that hold a command with this mark. */
function walls(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => argsOf(pid).startsWith('bwrap') && argsOf(pid).includes(mark))
    .filter(isAlive)
    .sort((a, b) => a - b);
}
