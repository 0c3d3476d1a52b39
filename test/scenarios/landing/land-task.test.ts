// `land <task>`: exactly what one task changed, with what it needs, tested as it lands; or a sentence that says why not.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
let main: string;
beforeEach(() => {
  world = openWorld();
  main = world.git('symbolic-ref', '--short', 'HEAD');
  world.git('checkout', '-q', '-b', 'elsewhere');
});
afterEach(() => world.close());

const writes = (...steps: object[]): string[] => ['--script', world.script([...steps, { say: 'It is done.' }])];
const write = (path: string, text = `${path}\n`): object => ({ write: { path, text } });
const names = (): string[] => world.git('ls-tree', '--name-only', main).split('\n');

async function made(...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await world.sb(['run', ...args, '--name', 'some']);
  expect(code, stdout + stderr).toBe(0);
}

it('lands what the task changed and what it needs, tested on exactly that tree, and the rest afterwards [LAND-44]', async () => {
  const seen = world.path('seen');
  const scripts = ['one.txt', 'two.txt', 'three.txt'].flatMap((path) => writes(write(path)));
  const check = `ls *.txt | tr '\\n' ' ' >>'${seen}'; echo >>'${seen}'`;
  await made('one', 'two', 'three', '--needs', '3:1', ...scripts, '--check', check, '--sandbox', 'none');
  const landed = await world.sb(['land', 'three', '--into', main]);
  expect(landed.code, landed.stdout + landed.stderr).toBe(0);
  expect(names()).toEqual(['README.md', 'one.txt', 'three.txt']);
  expect(readFileSync(seen, 'utf8').split('\n')).toContain('one.txt three.txt ');
  expect(landed.stderr).toMatch(/check \S+ passed on exactly this tree/);
  const again = await world.sb(['land', 'three', '--into', main]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('already contains this work')]);
  const rest = await world.sb(['land', 'some', '--into', main]);
  expect(rest.code, rest.stdout + rest.stderr).toBe(0);
  expect(names()).toEqual(['README.md', 'one.txt', 'three.txt', 'two.txt']);
});

it('is refused where the task builds on work that it does not need by name [LAND-45]', async () => {
  // They write the same path, so the second starts from what the first made.
  const scripts = [...writes(write('shared', 'first\n')), ...writes({ run: 'echo second >>shared' })];
  await made('first', 'second', ...scripts, '--writes', 'shared');
  const before = world.git('rev-parse', main);
  const landed = await world.sb(['land', 'second', '--into', main]);
  expect([landed.code, landed.stdout]).toEqual([
    3,
    expect.stringMatching(/the work of "second" builds on that of "first" \(in shared\).*land the whole run/),
  ]);
  expect(world.git('rev-parse', main)).toBe(before);
  expect((await world.sb(['land', 'first', '--into', main])).code).toBe(0);
  expect(world.git('show', `${main}:shared`)).toBe('first');
  const rest = await world.sb(['land', 'some', '--into', main]);
  expect(rest.code, rest.stdout + rest.stderr).toBe(0);
  expect(world.git('show', `${main}:shared`)).toBe('first\nsecond');
});

it('is refused where the task failed or changed nothing [LAND-45]', async () => {
  const scripts = [...writes(write('good.txt')), ...writes({ run: 'exit 1' }), ...writes({ say: 'Nothing to do.' })];
  expect((await world.sb(['run', 'good', 'bad', 'idle', ...scripts, '--name', 'some'])).code).toBe(6);
  const bad = await world.sb(['land', 'bad', '--into', main]);
  expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('task "bad" has not succeeded')]);
  const idle = await world.sb(['land', 'idle', '--into', main]);
  expect([idle.code, idle.stderr]).toEqual([1, expect.stringContaining('task "idle" changed nothing')]);
  expect(names()).toEqual(['README.md']);
});

it('is merged with what the user committed meanwhile, and a conflict with that is reported [LAND-44]', async () => {
  const scripts = ['one.txt', 'two.txt'].flatMap((path) => writes(write(path)));
  await made('one', 'two', ...scripts);
  world.git('checkout', '-q', main);
  for (const path of ['mine.txt', 'two.txt']) writeFileSync(join(world.repo, path), 'mine\n');
  world.git('add', '.');
  world.git('commit', '-qm', 'Mine');
  world.git('checkout', '-q', 'elsewhere');
  expect((await world.sb(['land', 'one', '--into', main])).code).toBe(0);
  expect(names()).toEqual(['README.md', 'mine.txt', 'one.txt', 'two.txt']);
  const two = await world.sb(['land', 'two', '--into', main]);
  expect([two.code, two.stdout]).toEqual([1, expect.stringMatching(/conflict with branch .* in two\.txt/)]);
});
