// Plans in TypeScript and JavaScript, as a repository has them: types from the package, and the module run by the CLI.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorld, type World } from '../daemon/daemon-world.ts';

const root = resolve(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/plans.md'), 'utf8');
const [, sample = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];

let world: World;

beforeEach(() => {
  world = openWorld({}, 'process');
});

afterEach(() => world.close());

const put = (file: string, text: string): void => writeFileSync(join(world.repo, file), text);

it('the types of the package say what a plan may refer to [PLAN-16, PLAN-18]', () => {
  mkdirSync(join(world.repo, 'node_modules'));
  symlinkSync(root, join(world.repo, 'node_modules/signalbox'));
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, types: [] };
  put('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.mts'] }));
  const tsc = (text: string): string => {
    put('x.plan.mts', text);
    try {
      return execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], {
        cwd: world.repo,
      }).toString();
    } catch (error) {
      return String((error as { stdout: unknown }).stdout);
    }
  };
  expect(tsc(sample)).toBe('');
  expect(tsc(sample.replace('matrix.title', 'matrix.titel'))).toContain("'titel' does not exist");
});

it('a module is a plan as a file is, and needs nothing installed [PLAN-16]', async () => {
  put('x.plan.mjs', sample);
  const graph = await world.sb(['plan', 'graph', 'x.plan.mjs']);
  expect(graph).toMatchObject({ code: 0, stderr: '' });
  expect(graph.stdout).toContain('fix × tasks.find.output.bugs  after find');
  const ran = await world.sb(['run', 'x.plan.mjs', '--stubs', '--json']);
  expect(ran.stderr).not.toContain('error');
  expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'hunt', outcome: 'succeeded' });
});

it('an error in a module is reported with its place [PLAN-16]', async () => {
  const told = async (file: string, text: string): Promise<string> => {
    put(file, text);
    const { code, stderr } = await world.sb(['run', file]);
    expect(code).toBe(2);
    return stderr;
  };
  const head = "import { plan, task } from 'signalbox';\n";
  expect(await told('a.plan.mjs', `${head}throw new Error('hm');\n`)).toContain('a.plan.mjs:2:7: error: hm');
  expect(await told('a.plan.mjs', 'export default 5;\n')).toContain('a.plan.mjs:1:1: error: the file exports no plan');
  expect(await told('a.plan.mjs', "import 'nowhere';\n")).toMatch(
    /^signalbox: a\.plan\.mjs: error: Cannot find package 'nowhere'/,
  );
  expect(await told('a.plan.mjs', 'await new Promise(() => {});\n')).toContain('a.plan.mjs was not loaded within 10 s');
  const wrong = `${head}export default plan({ name: 'x', tasks: [\n  task('a', { prompt: 'x', phase: 'reserch' }),\n] });\n`;
  expect(await told('a.plan.mjs', wrong)).toContain('a.plan.mjs:3:3: error: there is no phase "reserch"');
  if ((process.features as { typescript?: unknown }).typescript === undefined) {
    expect(await told('a.plan.ts', wrong)).toContain('cannot run TypeScript by itself: use Node 22.18 or newer');
  }
});
