// `plan new` names the schema of plan files in its first line, for editors. However Signalbox was installed, the file is there.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../source-files.ts';

const run = promisify(execFile);
let dir: string;

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-schema-')));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What npm would install of this package: its files, and the packages it depends on. */
function install(modules: string): string {
  const place = join(modules, 'signalbox');
  const { files, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    files: string[];
    dependencies: Record<string, string>;
  };
  for (const file of ['package.json', ...files]) cpSync(join(root, file), join(place, file), { recursive: true });
  mkdirSync(join(place, 'node_modules'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(place, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
  }
  return place;
}

/** The file that the first line of a new plan leads to. */
async function schemaOf(signalbox: string, cwd: string, file: string): Promise<{ named: string; path: string }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir, SIGNALBOX_HOME: join(dir, 'home') };
  mkdirSync(dirname(resolve(cwd, file)), { recursive: true });
  await run(process.execPath, [join(signalbox, 'dist/main.cjs'), 'plan', 'new', file], { cwd, env });
  const [, named = ''] =
    /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(resolve(cwd, file), 'utf8')) ?? [];
  const path = named.startsWith('file:') ? fileURLToPath(named) : resolve(dirname(resolve(cwd, file)), named);
  return { named, path };
}

const isSchema = (path: string): boolean =>
  existsSync(path) && readFileSync(path, 'utf8') === readFileSync(join(root, 'docs/plan.schema.json'), 'utf8');

it('the schema that a new plan names exists, installed globally or in the project [PLAN-36]', async () => {
  const global = install(join(dir, 'usr lib/node_modules'));
  const elsewhere = join(dir, 'some project');
  mkdirSync(elsewhere);
  const apart = await schemaOf(global, elsewhere, 'plans/a.plan.yaml');
  expect(apart.path).toBe(join(global, 'docs/plan.schema.json'));
  expect(isSchema(apart.path)).toBe(true);

  const project = join(dir, 'project');
  const local = install(join(project, 'node_modules'));
  const near = await schemaOf(local, project, 'plans/a.plan.yaml');
  expect(near.named).toBe('../node_modules/signalbox/docs/plan.schema.json');
  expect(isSchema(near.path)).toBe(true);
  const beside = await schemaOf(global, project, 'b.plan.yaml');
  expect(beside.named).toBe('./node_modules/signalbox/docs/plan.schema.json');
});

it('in a clone of Signalbox it is that of the clone [PLAN-36]', async () => {
  const clone = install(join(dir, 'clones'));
  const { named, path } = await schemaOf(clone, clone, 'examples/mine.plan.yaml');
  expect(named).toBe('../docs/plan.schema.json');
  expect(isSchema(path)).toBe(true);
});
