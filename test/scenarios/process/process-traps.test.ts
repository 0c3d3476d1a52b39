// The traps that supervision fell into before, each sprung on purpose. Those about TERM, pids that come again, half-written
// info and shims that die early are in process-launches and process-loss.

import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { probeConfinement } from '../../../src/process/confinement-probe.ts';
import { launchDir, readInfo, readShim } from '../../../src/process/launch/launch-dir.ts';
import { until } from '../../until.ts';
import {
  collect,
  compiledLaunches,
  fileHolds,
  hasNamespaces,
  kinds,
  never,
  openWorld,
  readOr,
  type World,
} from './process-world.ts';

let modules: string;
beforeAll(() => {
  modules = compiledLaunches();
});

const ownUserNamespace = await promisify(execFile)('unshare', ['-U', '-r', 'true']).then(
  () => true,
  () => false,
);
/** GNU's, with inotify. */
const tailIsTold =
  process.platform === 'linux' &&
  (await promisify(execFile)('tail', ['--version']).then(
    ({ stdout }) => stdout.includes('GNU'),
    () => false,
  ));
const supervisorPath = join(import.meta.dirname, 'process-supervisor.mjs');

describe.each(kinds)('a %s launch', (kind) => {
  let world: World;
  beforeEach(() => {
    world = openWorld(kind);
  });
  afterEach(() => world.close());

  it('gets all of a long input from before it started, not the last ten lines [PROC-6]', async () => {
    const spec = world.sh('n=0; while read -r line; do n=$((n+1)); [ "$line" = end ] && break; done; echo "$n $line"');
    mkdirSync(join(world.root, spec.launchId), { recursive: true });
    const lines = Array.from({ length: 5_000 }, (_, i) => `line ${i}\n`).join('');
    writeFileSync(join(world.root, spec.launchId, 'in'), `${lines}end\n`);
    expect((await world.run(spec)).lines).toEqual(['5001 end']);
  });

  it.runIf(tailIsTold)(
    'is fed by a tail that is notified of a new record and does not poll, first or warm',
    async () => {
      for (let launches = 0; launches < 2; launches++) {
        const spec = world.sh('read -r line; echo "$line"');
        await world.launches.start(spec, never);
        const { pid: shim = 0 } = readShim(launchDir(world.root, spec.launchId)) ?? {};
        const opened = (): string =>
          spawnSync('sh', ['-c', `ls -l /proc/$(pgrep -P ${shim} -x tail)/fd`]).stdout.toString();
        await until(() => opened().includes('inotify'), { what: 'the feeder to be told' });
        await world.launches.write(spec.launchId, 0, 'end\n');
        expect((await collect(world.launches, spec.launchId)).ending).toEqual({ kind: 'ended', status: 0 });
      }
    },
  );

  it('is followed and fed where no inotify instance is left', { skip: !ownUserNamespace }, async () => {
    const spec = world.sh('while read -r line; do echo "got $line"; [ "$line" = end ] && exit 4; done');
    const journal = join(world.home, 'journal');
    const done = join(world.home, 'done');
    const task = JSON.stringify({ kind, root: world.root, spec, journal, done });
    const exhausted = 'echo 0 >/proc/sys/user/max_inotify_instances && exec "$@"';
    const supervisor = spawn(
      'unshare',
      ['-U', '-r', 'sh', '-c', exhausted, 'sh', process.execPath, supervisorPath, modules, task],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const exited = once(supervisor, 'exit');
    await fileHolds(join(world.root, spec.launchId, 'info'));
    const offset = await world.launches.write(spec.launchId, 0, 'one\n');
    await until(() => readOr(journal, '').includes('got one'), { timeoutMs: 20_000, what: 'the first line' });
    // Long enough for the watch to think it idle.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const from = performance.now();
    await world.launches.write(spec.launchId, offset, 'end\n');
    await until(() => readOr(journal, '').includes('got end'), { timeoutMs: 20_000, what: 'the second line' });
    expect(performance.now() - from).toBeLessThan(5_000);
    await exited;
    expect(JSON.parse(readFileSync(done, 'utf8'))).toEqual({ kind: 'ended', status: 4 });
  });

  it('in great number, watched and silent, leaves the thread pool free', async () => {
    const stop = new AbortController();
    const specs = Array.from({ length: 12 }, () => world.sh('echo up; sleep 300'));
    for (const spec of specs) await world.launches.start(spec, never);
    const watches = specs.map((spec) => world.launches.watch(spec.launchId, 0, async () => undefined, stop.signal));
    const ends = Promise.allSettled(watches);
    await Promise.all(specs.map((spec) => fileHolds(join(world.root, spec.launchId, 'out'))));
    const reads = await Promise.all(Array.from({ length: 20 }, () => readFile(import.meta.filename, 'utf8')));
    expect(reads.every((text) => text.length > 0)).toBe(true);
    stop.abort(new Error('enough'));
    expect((await ends).every((end) => end.status === 'rejected')).toBe(true);
  });

  it('after a long silence has its next line seen soon', async () => {
    const spec = world.sh('echo up; while ! [ -e go ]; do sleep 0.02; done; echo news; read -r line');
    await world.launches.start(spec, never);
    let newsAt = 0;
    const stop = new AbortController();
    const watching = world.launches.watch(
      spec.launchId,
      0,
      async ({ lines }) => void (lines.includes('news') && (newsAt = performance.now())),
      stop.signal,
    );
    const ended = watching.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    writeFileSync(join(world.work, 'go'), '');
    await until(() => readOr(join(world.root, spec.launchId, 'out'), '').includes('news'), { what: 'the news' });
    const writtenAt = performance.now();
    await until(() => newsAt > 0, { what: 'the news to be seen' });
    // A tenth of a second on a machine that has nothing else to do.
    expect(newsAt - writtenAt).toBeLessThan(1_000);
    stop.abort(new Error('enough'));
    await ended;
  });

  it('outlives the thread that started it', async () => {
    const spec = world.sh('echo up; read -r line; exit 8');
    const load = (name: string) => JSON.stringify(pathToFileURL(join(modules, name)).href);
    const program = `Promise.all([import(${load('launch/launches.js')}), import(${load('confine.js')})]).then(
      async ([{ openLaunches }, confine]) => {
        const launches = openLaunches({ root: ${JSON.stringify(world.root)}, confine: confine.${kind}Confine });
        await launches.start(${JSON.stringify(spec)}, new AbortController().signal);
        process.exit();
      })`;
    await once(new Worker(program, { eval: true }), 'exit');
    await fileHolds(join(world.root, spec.launchId, 'out'));
    expect((await world.launches.look(spec.launchId)).kind).toBe('alive');
    await world.launches.write(spec.launchId, 0, 'end\n');
    expect((await collect(world.launches, spec.launchId)).ending).toEqual({ kind: 'ended', status: 8 });
  });

  it('that has ended is neither measured nor frozen by a reused namespace or pid [PROC-4]', async () => {
    const living = world.sh('while :; do echo tick; sleep 0.01; done');
    const over = world.sh('exit 0');
    await world.launches.start(living, never);
    await world.run(over);
    const info = await until(() => readInfo(launchDir(world.root, living.launchId)) && 'there', { what: 'the info' });
    expect(info).toBe('there');
    writeFileSync(
      launchDir(world.root, over.launchId).info,
      readFileSync(launchDir(world.root, living.launchId).info, 'utf8').replace(/"start": "\d+"/, '"start": "1"'),
    );
    expect(await world.launches.measure(over.launchId)).toBeNull();
    await world.launches.freeze(over.launchId);
    const size = () => world.file(living.launchId, 'out').length;
    const before = size();
    await until(() => size() > before, { what: 'the living one to go on' });
    expect((await world.launches.measureAll([living.launchId, over.launchId])).size).toBe(1);
  });

  it('with a waiting shim ends with its supervisor', async () => {
    const spec = world.sh('exit 0');
    const task = JSON.stringify({
      kind,
      root: world.root,
      spec,
      journal: join(world.home, 'journal'),
      done: join(world.home, 'done'),
    });
    const waiting = () =>
      promisify(execFile)('ps', ['-axo', 'pid=,command=']).then(
        ({ stdout }) => stdout.split('\n').filter((line) => line.includes(join(modules, 'shim.sh'))).length,
      );
    const supervisor = spawn(process.execPath, [supervisorPath, modules, task], { stdio: 'ignore' });
    await once(supervisor, 'exit');
    await until(async () => (await waiting()) === 0, { timeoutMs: 20_000, what: 'no shim to wait' });
  });
});

it.runIf(hasNamespaces)('reaches neither out nor rc through the descriptors of any process', async () => {
  const world = openWorld('namespace');
  const attack = `echo one
    for pid in /proc/[0-9]*; do
      for fd in "$pid"/fd/*; do
        case $(readlink "$fd") in "$1"*) echo "leads there: $fd" ;; esac
        case $fd in /proc/$$/*|/proc/1/fd/[0-2]) ;; *) ( : >"$fd" ) 2>/dev/null ;; esac
      done
      ( : >"$pid/root$1/$2/out" ) 2>/dev/null; ( echo 0 >"$pid/cwd/rc" ) 2>/dev/null
    done
    ( : >"$1/$2/out" ) 2>/dev/null; ( echo 0 >"$1/$2/rc" ) 2>/dev/null
    ( : >/proc/self/fd/1 ); ( : >/dev/stdout )
    echo two; exit 7`;
  const spec = world.sh(attack, world.root, '');
  const full = { ...spec, argv: [...spec.argv.slice(0, -1), spec.launchId] };
  expect(await world.run(full)).toEqual({ ending: { kind: 'ended', status: 7 }, lines: ['one', 'two'] });
  await world.close();
});

describe('the probe', () => {
  const failing = (part: string, why: string) => async (program: string, args: readonly string[]) =>
    [program, ...args].join(' ').includes(part) ? why : null;
  const brokenOf = async (probe: ReturnType<typeof probeConfinement>) =>
    (await probe).filter(({ works }) => !works).map(({ mechanism }) => mechanism);

  it('finds on this machine what launches use here', async () => {
    const results = await probeConfinement();
    const works = Object.fromEntries(results.map((result) => [result.mechanism, result.works]));
    expect(works['pidNamespace'] && works['freshProc']).toBe(hasNamespaces);
    for (const result of results) expect(result.weaker === null).toBe(result.works);
  });

  it('reports what is degraded without bubblewrap, without user namespaces and with a masked /proc', async () => {
    expect(await brokenOf(probeConfinement(failing('bwrap', 'bwrap is not installed')))).toEqual(
      expect.arrayContaining(['bwrap', 'userNamespaces', 'pidNamespace', 'freshProc']),
    );
    const refused = 'bwrap: No permissions to create new namespace';
    const results = await probeConfinement(failing('--dev-bind', refused));
    expect(results.find(({ mechanism }) => mechanism === 'userNamespaces')).toMatchObject({
      works: false,
      why: refused,
    });
    expect(await brokenOf(probeConfinement(failing('--proc', "bwrap: Can't mount proc")))).toContain('freshProc');
    expect(await brokenOf(probeConfinement(failing('--proc', "bwrap: Can't mount proc")))).not.toContain('bwrap');
  });

  it('detects a masked /proc', { skip: !ownUserNamespace || !hasNamespaces }, async () => {
    const program = `import(${JSON.stringify(pathToFileURL(join(modules, 'confinement-probe.js')).href)}).then(async (m) =>
      console.log(JSON.stringify(await m.probeConfinement())))`;
    // The inner namespace cannot take the mask away, as in a container.
    const masked = 'mount --bind /dev/null /proc/version && exec unshare -U -r -m "$@"';
    const around = ['-U', '-r', '-m', 'sh', '-c', masked, 'sh'];
    const { stdout } = await promisify(execFile)('unshare', [...around, process.execPath, '-e', program]);
    const results = JSON.parse(stdout) as { mechanism: string; works: boolean; why: string | null }[];
    const of = (mechanism: string) => results.find((result) => result.mechanism === mechanism);
    expect(of('pidNamespace')?.works).toBe(true);
    expect(of('freshProc')).toMatchObject({ works: false, why: expect.stringContaining('proc') });
  });
});
