// Launches with tiny real programs, under each confinement that this machine has.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFault } from '../../../src/std/fault.ts';
import { until } from '../../until.ts';
import { collect, fileHolds, kinds, never, openWorld, readOr, type World } from './process-world.ts';

describe.each(kinds)('a %s launch', (kind) => {
  let world: World;
  beforeEach(() => {
    world = openWorld(kind);
  });
  afterEach(() => world.close());

  it.each([
    ['exit 0', 0],
    ['exit 1', 1],
    ['exit 77', 77],
    ['kill -9 $$', 137],
    ['kill -TERM $$', 143],
  ])('returns the status of %s', async (script, status) => {
    expect((await world.run(world.sh(script))).ending).toEqual({ kind: 'ended', status });
  });

  it('a command that does not exist ends with 127 and says so in err', async () => {
    const spec = world.spec(['signalbox-no-such-command']);
    expect((await world.run(spec)).ending).toEqual({ kind: 'ended', status: 127 });
    expect(world.file(spec.launchId, 'err')).toContain('not found');
  });

  it('a command that may not be executed ends with 126', async () => {
    writeFileSync(join(world.work, 'plain-file'), '#!/bin/sh\n', { mode: 0o644 });
    expect((await world.run(world.spec(['./plain-file']))).ending).toEqual({ kind: 'ended', status: 126 });
  });

  it('no helper, shim or FIFO is left once rc is there', async () => {
    const spec = world.sh('exit 3');
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'rc'));
    const names = readdirSync(join(world.root, spec.launchId));
    expect(names.filter((name) => name.endsWith('.fifo'))).toEqual([]);
    // At most the shim itself, on its way out.
    expect((await world.marked(spec.launchId)).length).toBeLessThanOrEqual(1);
  });

  it('stdout and stderr stay apart, and a last line without newline is not a line', async () => {
    const spec = world.sh('echo one; echo oops >&2; echo two; printf torn');
    expect((await world.run(spec)).lines).toEqual(['one', 'two']);
    expect(world.file(spec.launchId, 'err')).toBe('oops\n');
    expect(world.file(spec.launchId, 'out')).toBe('one\ntwo\ntorn');
  });

  it('the environment is exactly what was asked and the marks [PROC-7]', async () => {
    const values = { QUOTES: `it's "$HOME" \`id\` \\ *`, LINES: 'a\nb\n\nc', EMPTY: '', SECRET: 's3cr3t', IFS: ',' };
    const spec = world.spec(['node', '-e', 'console.log(JSON.stringify(process.env))'], {
      ...values,
      LD_LIBRARY_PATH: '/nowhere',
    });
    const { lines } = await world.run(spec);
    const { PWD, OLDPWD, SHLVL, _, PATH, SIGNALBOX_MARK, ...env } = JSON.parse(lines[0] ?? '');
    expect(env).toEqual({ ...values, LD_LIBRARY_PATH: '/nowhere', SIGNALBOX_LAUNCH: spec.launchId });
    expect(PATH).toBe(spec.env['PATH']);
    const onDisk = readdirSync(join(world.root, spec.launchId), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'out')
      .map((entry) => world.file(spec.launchId, entry.name));
    expect(onDisk.join('')).not.toContain('s3cr3t');
  });

  it('secrets are in no argument list', async () => {
    const spec = world.spec(['sh', '-c', 'echo up; sleep 60'], { SECRET: 's3cr3t-in-flight' });
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const arguments_ = pids.map((pid) => readOr(`/proc/${pid}/cmdline`, ''));
    expect(arguments_.filter((text) => text.includes('s3cr3t-in-flight'))).toEqual([]);
  });

  it('the agent has its own directory and the usual umask', async () => {
    const { lines } = await world.run(world.sh('umask; pwd -P'));
    expect(lines).toEqual([process.umask().toString(8).padStart(4, '0'), world.work]);
  });

  it.runIf(kind === 'namespace')(
    'the agent sees neither launch directories nor the processes of its shim',
    async () => {
      const { lines } = await world.run(world.sh('ls -A "$1" | wc -l; ls /proc | grep -c "^[0-9]"', world.root));
      expect(lines[0]).toBe('0');
      // Init, the agent, ls, and grep if it is there by then.
      expect(['3', '4']).toContain(lines[1]);
    },
  );

  it('input reaches the agent while it runs, and so does input from before it started', async () => {
    const spec = world.sh('while read -r line; do echo "got $line"; [ "$line" = end ] && exit 0; done');
    await world.launches.start(spec, never);
    const offset = await world.launches.write(spec.launchId, 0, 'first\n');
    const out = join(world.root, spec.launchId, 'out');
    await until(() => readOr(out, '').includes('got first'), { timeoutMs: 20_000, what: 'the first answer' });
    const next = await world.launches.write(spec.launchId, offset, 'second\n');
    await world.launches.write(spec.launchId, next, 'end\n');
    expect((await collect(world.launches, spec.launchId)).lines).toEqual(['got first', 'got second', 'got end']);
  });

  it('an agent that ends without reading a full input ends all the same', async () => {
    const spec = world.sh('read -r line; exit 5');
    await world.launches.start(spec, never);
    await world.launches.write(spec.launchId, 0, `${'x'.repeat(1_000_000)}\n${'y'.repeat(1_000_000)}\n`);
    expect((await collect(world.launches, spec.launchId)).ending).toEqual({ kind: 'ended', status: 5 });
  });

  it('an agent that closes its input keeps running', async () => {
    const spec = world.sh('exec <&-; echo closed; while ! [ -e go ]; do sleep 0.02; done; echo done');
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    await world.launches.write(spec.launchId, 0, 'nobody reads\n');
    writeFileSync(join(world.work, 'go'), '');
    expect(await collect(world.launches, spec.launchId)).toEqual({
      ending: { kind: 'ended', status: 0 },
      lines: ['closed', 'done'],
    });
  });

  it('a launch started many times at once runs once [PROC-1]', async () => {
    const spec = world.sh('echo $$ >>ran; read -r line');
    const observations = await Promise.all(Array.from({ length: 8 }, () => world.launches.start(spec, never)));
    expect(new Set(observations.map((observation) => JSON.stringify(observation))).size).toBe(1);
    expect(observations[0]?.kind).toBe('alive');
    await fileHolds(join(world.work, 'ran'));
    await world.launches.write(spec.launchId, 0, 'go\n');
    expect((await collect(world.launches, spec.launchId)).ending).toEqual({ kind: 'ended', status: 0 });
    expect(readFileSync(join(world.work, 'ran'), 'utf8').trim().split('\n')).toHaveLength(1);
    expect(await world.launches.start(spec, never)).toEqual({ kind: 'ended', status: 0 });
  });

  it('TERM reaches the agent itself, which ends in its own way [PROC-5]', async () => {
    const program = `process.on('SIGTERM', () => { require('fs').writeFileSync('termed', 'yes'); process.exit(9) });
      console.log('ready'); setInterval(() => {}, 1000)`;
    const spec = world.spec(['node', '-e', program]);
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    await world.launches.signal(spec.launchId, 'term');
    expect((await collect(world.launches, spec.launchId)).ending).toEqual({ kind: 'ended', status: 9 });
    expect(readFileSync(join(world.work, 'termed'), 'utf8')).toBe('yes');
  });

  it('KILL ends an agent that ignores everything else; repeating a signal is harmless [PROC-5]', async () => {
    const spec = world.sh("trap '' TERM INT HUP; echo ready; while :; do sleep 0.1; done");
    await world.launches.start(spec, never);
    await fileHolds(join(world.root, spec.launchId, 'out'));
    await world.launches.signal(spec.launchId, 'term');
    expect((await world.launches.look(spec.launchId)).kind).toBe('alive');
    await Promise.all([world.launches.signal(spec.launchId, 'kill'), world.launches.signal(spec.launchId, 'kill')]);
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'ended', status: 137 });
    await world.launches.signal(spec.launchId, 'term');
    await world.launches.signal(spec.launchId, 'kill');
    expect(await world.launches.look(spec.launchId)).toEqual({ kind: 'ended', status: 137 });
  });

  it('KILL straight after the start leaves nothing', async () => {
    for (let i = 0; i < 10; i += 1) {
      const spec = world.sh('setsid sleep 300 & sleep 300');
      await world.launches.start(spec, never);
      await world.launches.signal(spec.launchId, 'kill');
      expect(['ended', 'lost']).toContain((await world.launches.look(spec.launchId)).kind);
      expect(await world.marked(spec.launchId)).toEqual([]);
    }
  });

  it("an agent's signal to its own process group does not reach its shim", async () => {
    expect((await world.run(world.sh('kill -9 0; sleep 60'))).ending).toEqual({ kind: 'ended', status: 137 });
  });

  it('daemons that an agent leaves behind are gone when its end is reported [PROC-5]', async () => {
    const spec = world.sh('setsid sleep 300 </dev/null >/dev/null 2>&1 & sleep 0.05; exit 4');
    expect((await world.run(spec)).ending).toEqual({ kind: 'ended', status: 4 });
    expect(await world.marked(spec.launchId)).toEqual([]);
  });

  it('an unknown launch is absent; its watcher is told that it is lost, and it never starts', async () => {
    expect(await world.launches.look('nobody')).toEqual({ kind: 'absent' });
    await world.launches.signal('nobody', 'term');
    expect(await world.launches.list()).toEqual([]);
    expect(await collect(world.launches, 'nobody')).toMatchObject({ ending: { kind: 'lost' } });
    await world.launches.signal('nobody', 'kill');
    expect(await world.launches.start({ ...world.sh('true'), launchId: 'nobody' }, never)).toEqual({ kind: 'lost' });
  });

  it('a launch killed before its claim never starts', async () => {
    const spec = world.sh('echo ran >ran');
    mkdirSync(join(world.root, spec.launchId), { recursive: true });
    await world.launches.signal(spec.launchId, 'kill');
    expect(await world.launches.start(spec, never)).toEqual({ kind: 'lost' });
    expect(readOr(join(world.work, 'ran'), 'no')).toBe('no');
  });

  it('a missing directory or an impossible environment is refused before anything starts', async () => {
    const spec = world.sh('exit 0');
    const nowhere = { ...spec, cwd: join(world.work, 'none') };
    await expect(world.launches.start(nowhere, never)).rejects.toSatisfy((error) => isFault(error, 'launch_failed'));
    const bad = { ...spec, env: { 'BASH_FUNC_cat%%': '() { id; }' } };
    await expect(world.launches.start(bad, never)).rejects.toSatisfy((error) => isFault(error, 'bad_request'));
    await expect(world.launches.start({ ...spec, launchId: '../x' }, never)).rejects.toThrow('not a launch id');
    expect(await world.launches.start(spec, never)).toMatchObject({ kind: expect.stringMatching(/alive|ended/) });
  });

  it('a watch ends when it is aborted, with the reason', async () => {
    const spec = world.sh('echo up; sleep 300');
    await world.launches.start(spec, never);
    const stop = new AbortController();
    const watching = world.launches.watch(spec.launchId, 0, async () => stop.abort(new Error('enough')), stop.signal);
    await expect(watching).rejects.toThrow('enough');
    expect((await world.launches.look(spec.launchId)).kind).toBe('alive');
  });

  it('lines are handed over one batch at a time, with the next offset [PROC-8]', async () => {
    const spec = world.spec(['sh', '-c', 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo "line $i"; done']);
    await world.launches.start(spec, never);
    let busy = 0;
    const seen: string[] = [];
    const ends: number[] = [];
    await world.launches.watch(
      spec.launchId,
      0,
      async (batch) => {
        busy += 1;
        expect(busy).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(...batch.lines);
        ends.push(batch.end);
        busy -= 1;
      },
      never,
    );
    expect(seen).toEqual(Array.from({ length: 3000 }, (_, i) => `line ${i + 1}`));
    expect(ends.at(-1)).toBe(Buffer.byteLength(`${seen.join('\n')}\n`));
    const rest: string[] = [];
    const from = Buffer.byteLength('line 1\nline 2\n');
    await world.launches.watch(spec.launchId, from, async (batch) => void rest.push(...batch.lines), never);
    expect(rest).toEqual(seen.slice(2));
  });
});
