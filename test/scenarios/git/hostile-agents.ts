// What an agent may do to its workspace, as small deeds that can be put together at random. Each works on whatever it
// finds, and one that fails has done nothing. No link leads out of the workspace: the deeds are done to real files.

import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { run } from './git-repositories.ts';

export type Misdeed = (workspace: string) => Promise<unknown>;

/** The repository that the names below mean. */
export const misdeedFiles: Record<string, string> = {
  'a.txt': 'one\n',
  'b.txt': 'two\n',
  'lib/x/index.js': 'x = 1\n',
  'lib/y/index.js': 'y = 2\n',
  'lib/z.js': 'z\n',
  'deep/er/down.txt': 'down\n',
  '.gitignore': '*.log\nbuild/\n',
  '.gitattributes': '*.txt text\n',
};

const tracked = Object.keys(misdeedFiles);
const folders = ['lib', 'lib/x', 'lib/y', 'deep', 'deep/er'];
const strange = [
  'new.txt',
  'x.log',
  'build/out',
  'lib/new/file',
  '.gitmodules',
  '-rf',
  'with\nline',
  'lib/x/.gitignore',
];

const anyFile = fc.constantFrom(...tracked, ...strange);
const anyName = fc.constantFrom(...tracked, ...strange, ...folders);

async function put(path: string, text: string): Promise<void> {
  // Opening a pipe would wait for a reader.
  if ((await lstat(path).catch(() => null))?.isFIFO() === true) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Changes a file and sets its time and size back to what they were. */
async function forge(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isFile()) return;
  const { atime, mtime, size } = found;
  await writeFile(path, 'F'.repeat(size));
  await utimes(path, atime, mtime);
}

async function swap(one: string, other: string, aside: string): Promise<void> {
  await rename(one, aside);
  await rename(other, one);
  await rename(aside, other);
}

const inGit: Record<string, string> = {
  'hooks/post-checkout': '#!/bin/sh\ntouch /tmp/never\n',
  'info/attributes': '* filter=evil\n',
  'info/exclude': '*\n',
  'info/sparse-checkout': '/nothing\n',
  'config.worktree': '[core]\n\tsparseCheckout = true\n',
  'objects/info/alternates': '/nowhere\n',
  'refs/heads/planted': `${'1'.repeat(40)}\n`,
  'index.lock': '',
  index: 'rubbish',
  HEAD: 'ref: refs/heads/gone\n',
};

export const misdeed: fc.Arbitrary<{ name: string; act: Misdeed }> = fc.oneof(
  deed(fc.tuple(anyFile, fc.string({ maxLength: 20 })), 'write', (at, [name, text]) => put(join(at, name), text)),
  deed(anyName, 'remove', (at, name) => rm(join(at, name), { recursive: true })),
  deed(fc.constantFrom(...tracked), 'forge', (at, name) => forge(join(at, name))),
  deed(fc.tuple(anyName, fc.constantFrom(0o777, 0o700, 0o4755, 0o600, 0o500, 0o000)), 'chmod', (at, [name, mode]) =>
    chmod(join(at, name), mode),
  ),
  deed(fc.tuple(anyName, fc.constantFrom('nowhere', 'a.txt', 'lib', 'deep')), 'symlink', async (at, [name, to]) => {
    await rm(join(at, name), { recursive: true, force: true });
    await symlink(to, join(at, name));
  }),
  deed(fc.constantFrom(...tracked), 'to directory', async (at, name) => {
    await rm(join(at, name), { recursive: true, force: true });
    await put(join(at, name, 'inside'), 'inside');
  }),
  deed(fc.tuple(anyName, anyName), 'swap', (at, [one, other]) =>
    swap(join(at, one), join(at, other), join(at, 'aside')),
  ),
  deed(fc.constantFrom(...tracked), 'link', (at, name) => link(join(at, name), join(at, 'build-link'))),
  deed(fc.constantFrom('lib', 'nested', 'build/nested'), 'nested repository', async (at, name) => {
    await mkdir(join(at, name), { recursive: true });
    run(join(at, name), 'init', '-q');
    await put(join(at, name, 'own.txt'), 'own');
  }),
  deed(fc.constantFrom('.gitignore', 'lib/.gitattributes', 'pipe'), 'pipe', async (at, name) => {
    await rm(join(at, name), { recursive: true, force: true });
    execFileSync('mkfifo', [join(at, name)]);
  }),
  deed(fc.constantFrom(...Object.keys(inGit)), 'in .git', (at, name) => put(join(at, '.git', name), inGit[name] ?? '')),
  deed(
    fc.constantFrom(
      ['update-index', '--assume-unchanged', 'a.txt'],
      ['update-index', '--skip-worktree', 'lib/z.js'],
      ['config', 'core.hooksPath', '/tmp/hooks'],
      ['config', 'core.fileMode', 'false'],
      ['config', 'filter.evil.smudge', 'touch /tmp/never; cat'],
      ['commit', '-q', '--allow-empty', '-am', 'own'],
      ['stash', '-q'],
      ['checkout', '-q', '-b', 'side'],
      ['tag', 'planted'],
      ['sparse-checkout', 'set', '--no-cone', '/a.txt'],
      ['rm', '-q', '-r', '--cached', '.'],
    ),
    'git',
    async (at, args) => run(at, ...args),
  ),
  deed(fc.constantFrom('file', 'link', 'nothing'), '.git as', async (at, kind) => {
    await rm(join(at, '.git'), { recursive: true, force: true });
    if (kind === 'file') await writeFile(join(at, '.git'), 'gitdir: nowhere\n');
    if (kind === 'link') await symlink('nowhere', join(at, '.git'));
  }),
  deed(fc.constant(null), 'same size in place', async (at) => {
    if (!(await lstat(join(at, 'b.txt'))).isFile()) return;
    const text = await readFile(join(at, 'b.txt'), 'utf8');
    await writeFile(join(at, 'b.txt'), text.toUpperCase());
  }),
);

function deed<T>(given: fc.Arbitrary<T>, what: string, act: (at: string, given: T) => Promise<unknown>) {
  return given.map((value) => ({
    name: `${what} ${JSON.stringify(value)}`,
    act: (at: string) => act(at, value).catch(() => undefined),
  }));
}
