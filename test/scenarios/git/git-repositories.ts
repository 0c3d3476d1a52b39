// Real repositories in temporary directories for the git scenarios, and a user's git to make them with.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openWorkspaces, type Workspaces } from '../../../src/git/workspace/workspaces.ts';

export const never = new AbortController().signal;

export interface Ground {
  readonly home: string;
  /** The user's repository. */
  readonly user: string;
  /** Signalbox's own directory. */
  readonly root: string;
  readonly workspaces: Workspaces;
  remove(): void;
}

/** A user's repository with one commit, and workspaces for it. */
export async function makeDirectory(
  files: Record<string, string> = { 'a.txt': 'one\n', 'dir/b.txt': 'two\n' },
): Promise<Ground> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-git-')));
  const user = join(home, 'user');
  const root = join(home, 'state');
  await mkdir(user);
  run(user, 'init', '-q', '-b', 'main');
  await commitFiles(user, files, 'first');
  const workspaces = await openWorkspaces({ root });
  return { home, user, root, workspaces, remove: () => rmSync(home, { recursive: true, force: true }) };
}

export function orderFor(ground: Pick<Ground, 'user'>, n = 1) {
  return {
    runId: 'run_1',
    taskId: 'task_1',
    attemptId: `attempt_1-${n}`,
    n,
    repo: { path: ground.user, base: run(ground.user, 'rev-parse', 'HEAD') },
    keeps: true,
    title: 'Do the thing',
    at: 1_700_000_000_000,
    sandboxed: false,
  };
}

export async function commitFiles(cwd: string, files: Record<string, string>, message: string): Promise<string> {
  await put(cwd, files);
  run(cwd, 'add', '-A');
  run(cwd, 'commit', '-q', '--allow-empty', '-m', message);
  return run(cwd, 'rev-parse', 'HEAD');
}

export async function put(cwd: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
}

/** The git of a user or an agent. */
export function run(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    env: userEnvironment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    // A named pipe where git expects a file of its own keeps it waiting for ever.
    timeout: 20_000,
    killSignal: 'SIGKILL',
  }).trimEnd();
}

const who = { NAME: 'Ann', EMAIL: 'ann@example.org' };
const userEnvironment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: who.NAME,
  GIT_AUTHOR_EMAIL: who.EMAIL,
  GIT_COMMITTER_NAME: who.NAME,
  GIT_COMMITTER_EMAIL: who.EMAIL,
};

/** Our one bare repository. */
export async function bareOf(ground: Pick<Ground, 'root'>): Promise<string> {
  const [name = ''] = await readdir(join(ground.root, 'projects'));
  return join(ground.root, 'projects', name);
}

/** The names in a commit of our bare repository, and the content of one. */
export async function filesOf(ground: Ground, commit: string): Promise<string[]> {
  return run(await bareOf(ground), 'ls-tree', '-r', '-z', '--name-only', commit)
    .split('\0')
    .filter((name) => name !== '');
}

export async function contentOf(ground: Ground, commit: string, name: string): Promise<string> {
  return run(await bareOf(ground), 'show', `${commit}:${name}`);
}

/** Every name below a directory with its kind, permissions, time and content. */
export function pictureOf(path: string): Record<string, string> {
  const picture: Record<string, string> = {};
  const walk = (at: string): void => {
    for (const name of readdirSync(join(path, at)).sort()) {
      const inside = join(at, name);
      const found = lstatSync(join(path, inside));
      const mode = found.mode.toString(8);
      // A hard link shares its file's times, and git touches an object that it would have written again.
      const time = inside.startsWith('.git/objects/') ? '' : found.mtimeMs;
      if (found.isDirectory()) walk(inside);
      // Reading a pipe would wait for a writer.
      if (found.isDirectory() || found.isFIFO()) picture[inside] = mode;
      else if (found.isSymbolicLink()) picture[inside] = `${mode} ${readlinkSync(join(path, inside))}`;
      else picture[inside] = `${mode} ${time} ${hashOf(readFileSync(join(path, inside)))}`;
    }
  };
  walk('');
  return picture;
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
