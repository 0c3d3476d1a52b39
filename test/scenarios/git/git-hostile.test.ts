// What an agent can do to its own workspace, and that saving it executes nothing and brings in nothing else.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  bareOf,
  commitFiles,
  filesOf,
  type Ground,
  makeDirectory,
  never,
  orderFor,
  put,
  run,
} from './git-repositories.ts';

let ground: Ground;
let order: ReturnType<typeof orderFor>;
let path: string;
let base: string;
let evil: string;
beforeEach(async () => {
  ground = await makeDirectory();
  order = orderFor(ground);
  ({ path, base } = await ground.workspaces.prepare(order, never));
  evil = join(ground.home, 'evil.sh');
  await writeFile(evil, `#!/bin/sh\necho ran >> ${executed()}\ncat\n`);
  await chmod(evil, 0o755);
});
afterEach(() => ground.remove());

const save = () => ground.workspaces.save(order, never);
const executed = () => join(ground.home, 'executed');

async function poison(gitDir: string): Promise<void> {
  await appendFile(
    join(gitDir, 'config'),
    `[core]
	fsmonitor = ${evil}
	hooksPath = ${ground.home}/hooks
	alternateRefsCommand = ${evil}
	sshCommand = ${evil}
	pager = ${evil}
	attributesFile = ${ground.home}/attributes
[filter "evil"]
	clean = ${evil}
	smudge = ${evil}
	process = ${evil}
	required = true
[merge "evil"]
	driver = ${evil}
[diff "evil"]
	textconv = ${evil}
	command = ${evil}
[diff]
	external = ${evil}
[uploadpack]
	packObjectsHook = ${evil}
[extensions]
	partialClone = evil
[remote "evil"]
	promisor = true
	url = ext::${evil}
	uploadpack = ${evil}
[protocol]
	allow = always
`,
  );
  await put(ground.home, { attributes: '* filter=evil diff=evil merge=evil\n' });
  await put(gitDir, { 'info/attributes': '* filter=evil diff=evil merge=evil\n' });
  const hooks = [
    'pre-commit',
    'post-index-change',
    'reference-transaction',
    'post-checkout',
    'fsmonitor-watchman',
    'pre-auto-gc',
  ];
  for (const at of [join(ground.home, 'hooks'), join(gitDir, 'hooks')]) {
    await mkdir(at, { recursive: true });
    for (const name of hooks) await symlink(evil, join(at, name));
  }
}

it('configuration, hooks, filters and drivers of the agent do not run [WS-3]', async () => {
  const own = await commitFiles(path, { 'c.txt': 'c\n' }, 'mine');
  await put(path, { 'd.txt': 'd\n', '.gitattributes': '* filter=evil diff=evil merge=evil text\n' });
  await poison(join(path, '.git'));
  // The poison is real: the agent's own git does run it.
  expect(() => run(path, 'add', '-A')).toThrow(/filter/);
  expect(existsSync(executed())).toBe(true);
  await rm(executed());
  const { commit, commitsImported } = await save();
  expect(existsSync(executed())).toBe(false);
  expect(commitsImported).toBe(true);
  expect(run(await bareOf(ground), 'rev-parse', `${commit}^`)).toBe(own);
  expect(await filesOf(ground, commit)).toEqual(['.gitattributes', 'a.txt', 'c.txt', 'd.txt', 'dir/b.txt']);
});

it.each(['tracked', 'untracked'])('a poisoned nested repository, %s, is not run', async (kind) => {
  const nested = join(path, 'nested');
  await mkdir(nested);
  run(nested, 'init', '-q');
  await commitFiles(nested, { inside: 'x' }, 'inside');
  if (kind === 'tracked') {
    await put(path, { '.gitmodules': '[submodule "nested"]\n\tpath = nested\n\turl = ./nested\n\tignore = none\n' });
    await commitFiles(path, {}, 'link');
  }
  await poison(join(nested, '.git'));
  // Of the same size, so that git has to read it to see the change.
  await put(nested, { inside: 'y' });
  const { commit, commitsImported } = await save();
  expect(existsSync(executed())).toBe(false);
  expect(commitsImported).toBe(true);
  expect(await filesOf(ground, commit)).toContain('nested');
});

it.each([
  ['file', (to: string) => writeFile(join(path, '.git'), `gitdir: ${to}\n`)],
  ['link', (to: string) => symlink(to, join(path, '.git'))],
])('a .git that is a %s to another repository brings nothing of it', async (_, plant) => {
  const secret = await elsewhere();
  await rename(join(path, '.git'), join(ground.home, 'aside'));
  await plant(join(ground.home, 'other/.git'));
  await put(path, { 'c.txt': 'c\n' });
  const { commit, commitsImported, notes } = await save();
  expect(commitsImported).toBe(false);
  expect(notes.join()).toMatch(/not imported, only its files: \.git is not the directory that it was/);
  expect(run(await bareOf(ground), 'rev-parse', `${commit}^`)).toBe(base);
  expect(await filesOf(ground, commit)).toEqual(['a.txt', 'c.txt', 'dir/b.txt']);
  await expectAbsent(secret);
});

it('objects borrowed from another repository are not imported', async () => {
  const secret = await elsewhere();
  await appendFile(join(path, '.git/objects/info/alternates'), `${ground.home}/other/.git/objects\n`);
  run(path, 'update-ref', 'HEAD', run(path, 'commit-tree', `${secret}^{tree}`, '-p', base, '-m', 'steal'));
  const { commitsImported, notes } = await save();
  expect(commitsImported).toBe(false);
  expect(notes.join()).toMatch(/borrows objects from elsewhere/);
  await expectAbsent(secret);
});

it.each(['all', 'packed', 'loose'])(
  '%s objects that are links into another repository are not followed',
  async (kind) => {
    const secret = await elsewhere();
    const theirs = join(ground.home, 'other/.git/objects');
    if (kind === 'packed') run(join(ground.home, 'other'), 'gc', '-q');
    const names = kind === 'all' ? [''] : await readdir(theirs);
    for (const name of names.filter((one) => one !== 'info')) {
      await rm(join(path, '.git/objects', name), { recursive: true, force: true });
      await symlink(join(theirs, name), join(path, '.git/objects', name).replace(/\/$/, ''));
    }
    await writeFile(join(path, '.git/HEAD'), `${secret}\n`);
    expect((await save()).commitsImported).toBe(false);
    await expectAbsent(secret);
  },
);

it('a redirected common directory and a forged HEAD bring nothing', async () => {
  const secret = await elsewhere();
  await writeFile(join(path, '.git/commondir'), join(ground.home, 'other/.git'));
  await writeFile(join(path, '.git/HEAD'), `${secret}\n`);
  expect((await save()).commitsImported).toBe(false);
  await expectAbsent(secret);
});

it.each([
  ['a named pipe', () => execFileSync('mkfifo', [join(path, '.git/HEAD')])],
  ['a directory', () => mkdir(join(path, '.git/HEAD'))],
  ['a climbing ref', () => writeFile(join(path, '.git/HEAD'), 'ref: refs/../../../user/.git/refs/heads/main\n')],
  ['an option', () => writeFile(join(path, '.git/HEAD'), '--upload-pack=evil\n')],
  ['a loop', () => writeFile(join(path, '.git/HEAD'), 'ref: refs/heads/loop\n')],
])('a HEAD that is %s is neither believed nor waited for', async (_, plant) => {
  await rm(join(path, '.git/HEAD'));
  await writeFile(join(path, '.git/refs/heads/loop'), 'ref: refs/heads/loop\n');
  await plant();
  await put(path, { 'c.txt': 'c\n' });
  const { commit, commitsImported, notes } = await save();
  expect(commitsImported).toBe(false);
  expect(notes.join()).toMatch(/HEAD names no commit/);
  expect(await filesOf(ground, commit)).toContain('c.txt');
});

it("named pipes in place of git's settings are not waited for", async () => {
  await put(path, { 'dir/c.txt': 'c\n' });
  for (const name of ['.gitignore', 'dir/.gitattributes', '.gitmodules', 'pipe'])
    execFileSync('mkfifo', [join(path, name)]);
  expect(await filesOf(ground, (await save()).commit)).toEqual(['a.txt', 'dir/b.txt', 'dir/c.txt']);
});

it('objects that git would refuse are not imported, and the files are saved', async () => {
  const tree = execFileSync('git', ['mktree'], {
    cwd: path,
    input: `100644 blob ${run(path, 'rev-parse', 'HEAD:a.txt')}\t.git\n`,
  });
  const bad = run(path, 'commit-tree', tree.toString().trim(), '-p', base, '-m', 'bad');
  run(path, 'update-ref', '--no-deref', 'HEAD', bad);
  const { commit, commitsImported, notes } = await save();
  expect(commitsImported).toBe(false);
  expect(notes.join()).toMatch(/not imported/);
  expect(commit).toBe(base);
});

it('a missing object under HEAD leaves the files saved', async () => {
  const own = await commitFiles(path, { 'c.txt': 'c\n' }, 'mine');
  const blob = run(path, 'rev-parse', `${own}:c.txt`);
  await rm(join(path, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  const { commit, commitsImported } = await save();
  expect(commitsImported).toBe(false);
  expect(await filesOf(ground, commit)).toEqual(['a.txt', 'c.txt', 'dir/b.txt']);
  expect(run(await bareOf(ground), 'rev-parse', `${commit}^`)).toBe(base);
});

it('a workspace that became a link is not saved', async () => {
  await elsewhere();
  await rename(path, `${path}-aside`);
  await symlink(join(ground.home, 'other'), path);
  await expect(save()).rejects.toThrow(/is gone/);
});

/** Another repository of the user, whose content must not come over. */
async function elsewhere(): Promise<string> {
  const other = join(ground.home, 'other');
  await mkdir(other);
  run(other, 'init', '-q', '-b', 'main');
  return commitFiles(other, { 'secret.txt': 'secret\n' }, 'secret');
}

async function expectAbsent(commit: string): Promise<void> {
  const bare = await bareOf(ground);
  for (const id of [commit, run(join(ground.home, 'other'), 'rev-parse', `${commit}:secret.txt`)]) {
    expect(() => run(bare, 'cat-file', '-e', id)).toThrow();
  }
  expect(existsSync(executed())).toBe(false);
}
