// How many processes a task costs beside its agent. Each start of one holds up the daemon and takes a core for milliseconds, so
// these numbers only go down: a change that needs one more must save another.

import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces, type Workspaces } from '../../../src/git/workspace/workspaces.ts';
import { type Ground, makeDirectory, never, orderFor, run } from './git-repositories.ts';

/** Every process that Node starts, in order. */
const children: ChildProcess[] = [];
const hear = (message: unknown): void => void children.push((message as { process: ChildProcess }).process);

function namesStarted(): string[] {
  return children.splice(0).map(({ spawnargs }) => nameOf(spawnargs));
}

function nameOf([program = '', ...args]: readonly string[]): string {
  const words = args.filter((word, at) => word !== '-c' && args[at - 1] !== '-c');
  return program === 'git' ? `git ${words[0] ?? ''}` : program;
}

let ground: Ground;
let workspaces: Workspaces;
let n = 0;
beforeEach(async () => {
  subscribe('child_process', hear);
  ground = await makeDirectory(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${at}.txt`, `${at}\n`])));
  workspaces = await openWorkspaces({ root: ground.root, recycle: true });
  n = 0;
  // What is found out once for a project and its commit, and a workspace to be used again.
  await attempt(edit);
});
afterEach(() => {
  unsubscribe('child_process', hear);
  ground.remove();
});

const edit = (path: string) => writeFile(join(path, 'f1.txt'), `changed ${n}\n`);
const commit = async (path: string): Promise<void> => {
  await edit(path);
  run(path, 'commit', '-q', '-a', '-m', 'Change');
};

/** What one attempt starts: to prepare it, and to save it. */
async function attempt(work: (path: string) => Promise<void>): Promise<{ preparing: string[]; saving: string[] }> {
  n += 1;
  const order = orderFor(ground, n);
  namesStarted();
  const { path } = await workspaces.prepare(order, never);
  const preparing = namesStarted();
  await work(path);
  namesStarted();
  await workspaces.save(order, never);
  return { preparing, saving: namesStarted() };
}

it('an attempt that changed files costs one start of git to prepare and four to save [WS-26]', async () => {
  const { preparing, saving } = await attempt(edit);
  expect(preparing).toEqual(['find', 'git checkout-index']);
  expect(saving).toEqual(['find', 'find', 'git add', 'git write-tree', 'git ls-files', 'git commit-tree']);
});

it('an attempt that committed its work costs six starts to save [WS-26]', async () => {
  const { saving } = await attempt(commit);
  // The shell has `git pack-objects` write to `git index-pack`.
  const kept = ['git rev-list', 'git read-tree', 'git add', 'git ls-files', 'git diff-tree'];
  expect(saving).toEqual(['find', 'find', 'sh', ...kept]);
});

it('an attempt that did nothing costs no start of git, nor does the next one on the same base [WS-26]', async () => {
  await attempt(async () => undefined);
  const { preparing, saving } = await attempt(async () => undefined);
  expect([preparing, saving]).toEqual([['find'], ['find']]);
});

it('tasks that start together ask the repository once [WS-39]', async () => {
  const base = run(ground.user, 'commit-tree', '-m', 'another', 'HEAD^{tree}');
  const orders = [1, 2, 3, 4].map((at) => ({ ...orderFor(ground, n + at), repo: { path: ground.user, base } }));
  namesStarted();
  await Promise.all(orders.map((order) => workspaces.prepare(order, never)));
  const started = namesStarted();
  expect(started.filter((name) => name === 'git rev-parse' || name === 'git config').length).toBeLessThanOrEqual(5);
  expect(started.filter((name) => name === 'git fetch')).toHaveLength(1);
});
