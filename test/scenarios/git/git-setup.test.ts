// A repository says how its workspaces are set up and taken down, and a setup that was run once is not run again for the
// same lockfiles.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile, chmod, lstat, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces, type Workspaces } from '../../../src/git/workspace/workspaces.ts';
import { isFault } from '../../../src/std/fault.ts';
import { until } from '../../until.ts';
import { commitFiles, filesOf, type Ground, makeDirectory, never, orderFor, put, run } from './git-repositories.ts';

let ground: Ground;
let workspaces: Workspaces;
beforeEach(async () => {
  ground = await makeDirectory({
    'a.txt': 'one\n',
    '.gitignore': 'node_modules\n.venv\n.env\n',
    'package-lock.json': '{}',
  });
  workspaces = await openWorkspaces({ root: ground.root, recycle: true });
});
afterEach(() => ground.remove());

/** Outside of every workspace, a line for each time something was run. */
const traces = (): string[] => (existsSync(trace()) ? readFileSync(trace(), 'utf8').trim().split('\n') : []);
const trace = () => join(ground.home, 'trace');
const install = 'mkdir -p node_modules/dep && echo dep >node_modules/dep/index.js && ln -s dep node_modules/link';

async function script(name: 'setup' | 'teardown', text: string, mode = 0o755): Promise<void> {
  const file = join(ground.user, '.signalbox', name);
  await mkdir(join(ground.user, '.signalbox'), { recursive: true });
  await writeFile(file, `#!/bin/sh\nset -e\necho ${name} >>'${trace()}'\n${text}\n`);
  await chmod(file, mode);
  await commitFiles(ground.user, {}, name);
}

const prepare = (n: number, by = workspaces) => by.prepare(orderFor(ground, n), never);
const save = (n: number) => workspaces.save(orderFor(ground, n), never);
const dependency = (path: string) => readFileSync(join(path, 'node_modules/dep/index.js'), 'utf8');
const statusOf = (path: string) => run(path, 'status', '--porcelain');

it('setup runs in the workspace with its ports and a home of its own [WS-13]', async () => {
  await script(
    'setup',
    'mkdir node_modules; pwd >node_modules/said; echo "$HOME $SIGNALBOX_PORT $USER" >>node_modules/said',
  );
  const { path } = await prepare(1);
  const [cwd, told = ''] = readFileSync(join(path, 'node_modules/said'), 'utf8').split('\n');
  const { SIGNALBOX_PORT: port } = await workspaces.environment('attempt_1-1');
  expect(cwd).toBe(path);
  expect(told).toMatch(new RegExp(`^${ground.root}/scratch/\\S+/home ${port} $`));
  expect(statusOf(path)).toBe('');
});

it('a second workspace with the same lockfiles gets what the first one made, without running setup [WS-14]', async () => {
  await script('setup', install);
  const first = await prepare(1);
  await commitFiles(ground.user, { 'a.txt': 'two\n' }, 'other sources');
  const second = await prepare(2);
  expect(traces()).toEqual(['setup']);
  expect(dependency(second.path)).toBe('dep\n');
  expect((await lstat(join(second.path, 'node_modules/link'))).isSymbolicLink()).toBe(true);
  // Neither sees what the other writes.
  await appendFile(join(first.path, 'node_modules/dep/index.js'), 'mine\n');
  expect(dependency(second.path)).toBe('dep\n');
  expect(dependency((await prepare(3)).path)).toBe('dep\n');
  const reopened = await openWorkspaces({ root: ground.root });
  expect(dependency((await prepare(4, reopened)).path)).toBe('dep\n');
  expect(traces()).toEqual(['setup']);
});

it('a setup result of unproven work is not kept, and may use a kept one [RETRY-4]', async () => {
  await script('setup', `${install}; cp a.txt node_modules/dep/index.js`);
  const unproved = (n: number) => workspaces.prepare({ ...orderFor(ground, n), unproved: true }, never);
  const clean = run(ground.user, 'rev-parse', 'HEAD');
  await commitFiles(ground.user, { 'a.txt': 'evil\n' }, 'unproved');
  expect(dependency((await unproved(1)).path)).toBe('evil\n');
  await save(1);
  run(ground.user, 'reset', '--quiet', '--hard', clean);
  expect(dependency((await prepare(2)).path)).toBe('one\n');
  expect(traces()).toEqual(['setup', 'setup']);
  expect(dependency((await unproved(3)).path)).toBe('one\n');
  expect(traces()).toHaveLength(2);
});

it('another lockfile or setup is another result; without a lockfile it runs each time [WS-14, WS-34]', async () => {
  await script('setup', install);
  await prepare(1);
  await commitFiles(ground.user, { 'package-lock.json': '{"a":1}' }, 'lock');
  await prepare(2);
  await script('setup', `${install} # other`);
  await prepare(3);
  expect(traces()).toHaveLength(3);
  run(ground.user, 'rm', '-q', 'package-lock.json');
  await commitFiles(ground.user, {}, 'none');
  await prepare(4);
  await prepare(5);
  expect(traces()).toHaveLength(5);
});

it('ten concurrent workspaces run one setup [WS-14]', async () => {
  await script('setup', install);
  const made = await Promise.all(Array.from({ length: 10 }, (_, at) => prepare(at + 1)));
  expect(made.map(({ path }) => dependency(path))).toEqual(Array(10).fill('dep\n'));
  expect(traces()).toEqual(['setup']);
});

it('a reused workspace has the kept dependencies, not those the former agent left [WS-33]', async () => {
  await script('setup', install);
  const first = await prepare(1);
  const { ino } = await lstat(join(first.path, 'a.txt'));
  await put(first.path, { 'node_modules/dep/index.js': 'evil\n', 'node_modules/new/index.js': 'evil\n' });
  await save(1);
  const second = await prepare(2);
  expect((await lstat(join(second.path, 'a.txt'))).ino).toBe(ino);
  expect(dependency(second.path)).toBe('dep\n');
  expect(existsSync(join(second.path, 'node_modules/new'))).toBe(false);
  expect(traces()).toEqual(['setup']);
});

it.each<[string, string, RegExp]>([
  [
    'names its workspace',
    'mkdir -p .venv/bin; echo "#!$PWD/x" >.venv/bin/pip; chmod +x .venv/bin/pip',
    /"\.\/\.venv\/bin\/pip" names/,
  ],
  ['links to it', 'mkdir node_modules; ln -s "$PWD/a.txt" node_modules/a', /node_modules\/a" names the workspace/],
  ['is not ignored', `${install}; echo x >made.txt`, /"made.txt", which git does not ignore/],
  ['changes a file', `${install}; echo x >a.txt`, /"a.txt", which git does not ignore/],
])('a result that %s is not kept, which is reported [WS-34]', async (_, text, why) => {
  await script('setup', text);
  expect((await prepare(1)).notes.join()).toMatch(why);
  await prepare(2);
  expect(traces()).toHaveLength(2);
  expect(await workspaces.inspectSpace(never).then((all) => all.filter(({ kind }) => kind === 'setup'))).toEqual([]);
});

it("the user's files are not kept with it [WS-34]", async () => {
  await script('setup', install);
  await commitFiles(ground.user, { '.worktreeinclude': '.env\n' }, 'include');
  await put(ground.user, { '.env': 'SECRET=1\n' });
  await prepare(1);
  writeFileSync(join(ground.user, '.env'), 'SECRET=2\n');
  const { path } = await prepare(2);
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('SECRET=2\n');
  expect(traces()).toEqual(['setup']);
  const [project = ''] = await readdir(join(ground.root, 'setups'));
  const [key = ''] = await readdir(join(ground.root, 'setups', project));
  expect(await readdir(join(ground.root, 'setups', project, key, 'files'))).toEqual(['node_modules']);
});

it('a kept result is never written through a link of the repository [WS-33]', async () => {
  await script('setup', 'test ! -L sub || exit 0; mkdir -p sub/node_modules; echo x >sub/node_modules/x');
  await commitFiles(ground.user, { 'sub/b.txt': 'b\n' }, 'sub');
  await prepare(1);
  const outside = join(ground.home, 'outside');
  await mkdir(outside);
  run(ground.user, 'rm', '-q', '-r', 'sub');
  await symlink(outside, join(ground.user, 'sub'));
  await commitFiles(ground.user, {}, 'a link');
  await prepare(2);
  expect(traces()).toHaveLength(2);
  expect(await readdir(outside)).toEqual([]);
});

it('a failing setup says how it failed, and leaves nothing [WS-31]', async () => {
  await script('setup', 'echo looking; echo "no registry" >&2; exit 3');
  const error = await prepare(1).catch((cause: unknown) => cause);
  expect(isFault(error, 'setup_failed')).toBe(true);
  expect(String(error)).toMatch(/\.signalbox\/setup failed: exit 3: looking \| no registry/);
  await workspaces.idle();
  for (const folder of ['workspaces', 'ports', 'records', 'scratch']) {
    expect(await readdir(join(ground.root, folder)), folder).toEqual([]);
  }
  await script('setup', install);
  expect(dependency((await prepare(2)).path)).toBe('dep\n');
});

it('a setup that was cut off starts again [WS-37]', async () => {
  await script('setup', `${install}; test -e '${trace()}-go' || sleep 30`);
  const leaving = new AbortController();
  const cut = workspaces.prepare(orderFor(ground, 1), leaving.signal).catch(() => 'cut');
  await until(() => traces().includes('setup'), { what: 'the setup to run' });
  leaving.abort(new Error('leaving'));
  expect(await cut).toBe('cut');
  writeFileSync(`${trace()}-go`, '');
  const reopened = await openWorkspaces({ root: ground.root });
  const { path } = await prepare(1, reopened);
  expect(dependency(path)).toBe('dep\n');
  // And once it has ended, not again.
  await put(path, { 'a.txt': 'work\n' });
  await prepare(1, reopened);
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('work\n');
  expect(traces()).toHaveLength(2);
});

it('a setup that is not executable is not run, which is reported [WS-13]', async () => {
  await script('setup', install, 0o644);
  expect((await prepare(1)).notes.join()).toMatch(/\.signalbox\/setup was not run: it is not an executable file/);
  expect(traces()).toEqual([]);
});

it('what setup made is not archived; what the agent changed in it is [WS-32]', async () => {
  await commitFiles(ground.user, { '.gitignore': 'vendor\nother\n' }, 'ignore');
  await script('setup', 'mkdir vendor other; echo v >vendor/v; echo o >other/o');
  const { path } = await prepare(1);
  await put(path, { 'other/mine': 'mine\n' });
  const { archive, notes } = await save(1);
  expect(archive).not.toBe(null);
  expect(notes.join()).toContain('ignored "other"');
  expect(notes.join()).not.toContain('vendor');
});

it("teardown is the base's, runs once the work is saved, and its changes are no work [WS-15]", async () => {
  await script('teardown', 'test "$(cat a.txt)" = work; rm a.txt; echo x >torn.txt');
  const { path } = await prepare(1);
  await put(path, { 'a.txt': 'work\n', '.signalbox/teardown': '#!/bin/sh\necho agent >>/dev/null\n' });
  const { commit, notes } = await save(1);
  expect(notes).toEqual([]);
  expect(traces()).toEqual(['teardown']);
  expect(await filesOf(ground, commit)).not.toContain('torn.txt');
  expect(await filesOf(ground, commit)).toContain('a.txt');
  // It may be used again, and nothing of the teardown is left.
  const second = await prepare(2);
  expect(existsSync(path)).toBe(false);
  expect(statusOf(second.path)).toBe('');
});

it('a failing teardown is a note, and the work is saved [WS-15]', async () => {
  await script('teardown', 'echo "still up"; exit 4');
  const { path } = await prepare(1);
  await put(path, { 'b.txt': 'work\n' });
  const { commit, notes } = await save(1);
  expect(notes).toEqual(['.signalbox/teardown failed: exit 4: still up']);
  expect(await filesOf(ground, commit)).toContain('b.txt');
});

it('kept results are listed, removed after a month without use or on request, and made again [WS-16]', async () => {
  await script('setup', install);
  const setups = async () => (await workspaces.inspectSpace(never)).filter(({ kind }) => kind === 'setup');
  await prepare(1);
  const [item] = await setups();
  expect(item).toMatchObject({ removable: false, why: expect.stringMatching(/^it was used today/) });
  expect((await workspaces.reclaim('all', never)).removed).toEqual([]);
  const old = new Date(Date.now() - 31 * 24 * 3_600_000);
  await utimes(item?.path ?? '', old, old);
  expect((await setups())[0]).toMatchObject({
    removable: true,
    why: expect.stringMatching(/^it was last used 31 days ago/),
  });
  expect((await workspaces.reclaim('all', never)).removed).toHaveLength(1);
  await prepare(2);
  expect(traces()).toHaveLength(2);
  expect((await workspaces.reclaim('all-with-setups', never)).removed.map(({ kind }) => kind)).toEqual(['setup']);
  expect(await setups()).toEqual([]);
});
