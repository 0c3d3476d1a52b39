// Results of checks are kept: what is computed once is never computed again, and what says nothing is not kept.

import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFault } from '../../../src/std/fault.ts';
import { until } from '../../until.ts';
import { never, run } from '../git/git-repositories.ts';
import { type ChecksWorld, isAlive, openChecksWorld, programs, sh } from './checks-world.ts';

let world: ChecksWorld;
beforeEach(async () => {
  world = await openChecksWorld();
});
afterEach(() => {
  expect(readdirSync(join(world.ground.root, 'scratch'))).toEqual([]);
  world.ground.remove();
});

/** Each of its runs leaves a line. */
const counted = (script: string) => sh(`echo ran >>'${world.outside('runs')}'; ${script}`);
const runs = () => world.lines('runs').length;

it('neither a pass nor a failure is computed twice, not even after a crash [CHECK-1]', async () => {
  for (const [script, passed, detail] of [
    ['echo fine', true, 'exit 0'],
    ['echo no; exit 3', false, 'exit 3: no'],
  ] as const) {
    const before = runs();
    const first = await world.one(counted(script));
    expect(first).toMatchObject({ check: 'check', passed, detail, runs: 1, known: false });
    expect(first).toMatchObject({
      tree: run(world.bare, 'rev-parse', `${world.commit}^{tree}`),
      ms: expect.any(Number),
    });
    const again = await world.one({ ...counted(script), name: 'another name' });
    expect(again).toEqual({ ...first, check: 'another name', known: true });
    world.reopen();
    expect(await world.one(counted(script))).toEqual({ ...first, known: true });
    expect(runs()).toBe(before + 1);
  }
});

it('a result belongs to its tree, not to the commit that has it [CHECK-1]', async () => {
  const same = await world.save(2, { 'result.txt': 'saved\n', 'data.bin': 'not a program\n', 'more.txt': '' });
  const other = await world.save(3, { 'result.txt': 'other\n' });
  const again = run(world.bare, 'commit-tree', `${world.commit}^{tree}`, '-m', 'the same files');
  const check = counted('grep -q saved result.txt');
  expect(await world.one(check)).toMatchObject({ passed: true, known: false });
  expect(await world.one(check, { commit: again })).toMatchObject({ passed: true, known: true });
  expect(await world.one(check, { commit: same })).toMatchObject({ passed: true, known: false });
  expect(await world.one(check, { commit: other })).toMatchObject({ passed: false, known: false });
  expect(runs()).toBe(3);
});

it('another command, timeout, PATH or program version is another result [CHECK-1]', async () => {
  const bin = world.outside('bin');
  mkdirSync(bin);
  const tool = join(bin, 'tool');
  writeFileSync(tool, '#!/bin/sh\nexit 0\n');
  chmodSync(tool, 0o755);
  const path = `${bin}:${programs}`;
  world.reopen({ path });
  const known = async (more: object = {}) => (await world.one({ argv: ['tool'], ...more })).known;
  expect(await known()).toBe(false);
  expect(await known()).toBe(true);
  expect(await known({ argv: ['tool', ''] })).toBe(false);
  expect(await known({ timeoutMs: 59_000 })).toBe(false);
  utimesSync(tool, 1, 1);
  expect(await known()).toBe(false);
  expect(await known()).toBe(true);
  world.reopen({ path: `${path}:/nowhere` });
  expect(await known()).toBe(false);
  rmSync(tool);
  expect(await world.one({ argv: ['tool'] })).toMatchObject({ passed: false, known: false });
  copyFileSync('/bin/true', tool);
  expect(await world.one({ argv: ['tool'] })).toMatchObject({ passed: true, known: false });
});

it('two callers that want the same result at once share one execution [CHECK-2]', async () => {
  const gate = world.outside('gate');
  const check = counted(`until test -e '${gate}'; do sleep 0.02; done`);
  const asked = [world.one(check), world.one(check), world.one({ ...check, name: 'mine' })];
  await until(() => runs() === 1, { what: 'the first run' });
  writeFileSync(gate, '');
  const items = await Promise.all(asked);
  expect(items.map(({ check: name, passed }) => [name, passed])).toEqual([
    ['check', true],
    ['check', true],
    ['mine', true],
  ]);
  expect(items.filter(({ known }) => known === false)).toHaveLength(1);
  expect(runs()).toBe(1);
});

it('a caller leaves at once and only for itself: the other gets its result [CHECK-2] [CHECK-3]', async () => {
  const gate = world.outside('gate');
  const check = counted(`echo $$ >>'${world.outside('pids')}'; until test -e '${gate}'; do sleep 0.02; done`);
  const leave = new AbortController();
  const reason = new Error('not wanted any more');
  const left = expect(world.one(check, {}, leave.signal)).rejects.toBe(reason);
  await until(() => world.lines('pids').length === 1, { what: 'the first run' });
  const stays = world.one(check);
  leave.abort(reason);
  await left;
  expect(isAlive(Number(world.lines('pids')[0]))).toBe(false);
  expect(world.kept()).toEqual([]);
  await until(() => world.lines('pids').length === 2, { what: 'the second run' });
  writeFileSync(gate, '');
  expect(await stays).toMatchObject({ passed: true, known: false });
  expect(readdirSync(world.results)).toHaveLength(2);
});

it('failures from before a given time do not count any more, passes do [CHECK-6]', async () => {
  const cured = counted(`test -e '${world.outside('cure')}'`);
  const failed = await world.one(cured);
  expect(failed).toMatchObject({ passed: false, known: false });
  const found = world.kept()[0]?.runs[0]?.at ?? 0;
  expect(await world.one(cured, { failuresSince: found })).toMatchObject({ passed: false, known: true });
  writeFileSync(world.outside('cure'), '');
  expect(await world.one(cured)).toMatchObject({ passed: false, known: true });
  const passed = await world.one(cured, { failuresSince: found + 1 });
  expect(passed).toMatchObject({ passed: true, known: false, runs: 1, key: failed.key });
  expect(await world.one(cured, { failuresSince: Date.now() + 1_000_000 })).toMatchObject({
    passed: true,
    known: true,
  });
  expect(runs()).toBe(2);
  // What is in evidence stays as it was.
  expect(world.log(failed)).toBe('');
});

it("a check's output is in its log, of much the first and last MiB [CHECK-4]", async () => {
  const little = await world.one(sh('echo out; echo more; printf "no end"; exit 1'));
  expect(little.detail).toBe('exit 1: no end');
  expect(world.log(little)).toBe('out\nmore\nno end');
  expect(world.log(await world.one(sh('echo wrong >&2')))).toBe('wrong\n');
  const much = await world.one(sh('echo begins; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo ends'));
  const log = world.log(much);
  expect(log.startsWith('begins\nxxx')).toBe(true);
  expect(log.endsWith('xxx\nends\n')).toBe(true);
  const left = 3_000_000 + 'begins\n\nends\n'.length - 2 * 2 ** 20;
  expect(log).toContain(`\n[signalbox: ${left} bytes were left out here]\n`);
  expect(log.length).toBeLessThan(2 * 2 ** 20 + 100);
});

it('an invalid stored result is computed again [CHECK-1]', async () => {
  const check = counted('exit 0');
  const { key = '' } = await world.one(check);
  for (const text of ['', '{"key":', '{}', `{"key":"${key}","log":"../../x","runs":[{}]}`, 'null']) {
    writeFileSync(join(world.results, `${key}.json`), text);
    expect(await world.one(check)).toMatchObject({ passed: true, known: false });
  }
  expect(runs()).toBe(6);
});

it('where results cannot be stored nothing runs, and that is no failure of the work [CHECK-3]', async () => {
  rmSync(world.results, { recursive: true });
  writeFileSync(world.results, 'in the way');
  await expect(world.one(counted('true'))).rejects.toSatisfy((error) => isFault(error, 'read_only'));
  rmSync(world.results);
  expect(runs()).toBe(0);
  expect(await world.one(counted('true'))).toMatchObject({ passed: true });
});

it('a commit that cannot be checked out, and a missing sandbox, are no failures of the work [CHECK-3]', async () => {
  await expect(world.one(counted('true'), { commit: 'a'.repeat(40) })).rejects.toSatisfy((e) =>
    isFault(e, 'git_failed'),
  );
  await expect(world.one(counted('true'), { sandboxed: true })).rejects.toSatisfy((e) => isFault(e, 'launch_failed'));
  const [blob = ''] = run(world.bare, 'rev-parse', `${world.commit}:result.txt`).split('\n');
  rmSync(join(world.bare, 'objects', blob.slice(0, 2), blob.slice(2)));
  await expect(world.one(counted('true'))).rejects.toSatisfy((e) => isFault(e, 'git_failed'));
  expect(runs()).toBe(0);
  expect(readdirSync(world.results)).toEqual([]);
});

it('a flaky check fails by its first result, unless it has retries [CHECK-5]', async () => {
  const check = counted(
    `echo "try $(wc -l <'${world.outside('runs')}')"; test "$(wc -l <'${world.outside('runs')}')" -ge 2`,
  );
  expect(await world.one(check)).toMatchObject({ passed: false, detail: 'exit 1: try 1', runs: 1 });
  const flaky = await world.one({ ...check, retries: 3 });
  expect(flaky).toMatchObject({ passed: true, detail: 'exit 0 in run 2 of 2: flaky', runs: 2, known: false });
  expect(world.log(flaky)).toBe('try 1\n\n[signalbox: run 2]\ntry 2\n');
  const [result] = world.kept();
  expect(result?.runs.map(({ passed, outcome }) => [passed, outcome])).toEqual([
    [false, 'exit 1'],
    [true, 'exit 0'],
  ]);
  expect(flaky.ms).toBe(result?.runs.reduce((sum, { ms }) => sum + ms, 0));
  expect(await world.one({ ...check, retries: 1 })).toEqual({ ...flaky, known: true });
  expect(await world.one(check)).toMatchObject({ passed: false, detail: 'exit 1: try 1', runs: 1, known: true });
  expect(runs()).toBe(2);
});

it('a check that always fails runs as often as its retries say, each time on a fresh checkout [CHECK-5]', async () => {
  const check = counted('test -e left || touch left; ls left; git status --porcelain; echo "still broken"; exit 4');
  const failed = await world.one({ ...check, retries: 2 });
  expect(failed).toMatchObject({ passed: false, detail: 'exit 4 in run 3 of 3: still broken', runs: 3 });
  expect(runs()).toBe(3);
  expect(world.log(failed).match(/still broken/g)).toHaveLength(3);
  expect(readdirSync(world.results).filter((name) => name.endsWith('.log'))).toEqual([failed.log]);
  expect(await world.one({ ...check, retries: 2 })).toEqual({ ...failed, known: true });
});

it('a crash between two executions loses neither [CHECK-18]', async () => {
  const stop = new AbortController();
  const check = counted(`test "$(wc -l <'${world.outside('runs')}')" -ge 2 && sleep 1000; exit 1`);
  const asked = expect(world.one({ ...check, retries: 2 }, {}, stop.signal)).rejects.toThrow();
  await until(() => runs() === 2, { what: 'the second run' });
  stop.abort();
  await asked;
  world.reopen();
  expect(await world.one(check)).toMatchObject({ passed: false, known: true, runs: 1 });
  expect(world.kept()[0]?.runs).toHaveLength(1);
  expect(await world.run([], {}, never)).toEqual([]);
});
