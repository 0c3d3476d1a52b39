// What a workspace of a large repository costs: the first beside the fastest checkout that git makes of the same commit in
// the same directory, and the following ones, which use an ended workspace again after an agent changed a hundred files.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspaces } from '../src/git/workspace/workspaces.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const folders = 2_500;
const filesEach = 20;
const changed = 100;
const rounds = 3;
const workersTried = [2, 8, 16];
const never = new AbortController().signal;

export async function benchWorkspaces(): Promise<BenchFigure[]> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  try {
    const user = join(home, 'user');
    const base = makeRepository(user);
    return await measure(home, user, base);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(home: string, user: string, base: string): Promise<BenchFigure[]> {
  const workspaces = await openWorkspaces({ root: join(home, 'state'), recycle: true });
  const orderOf = (n: number) => ({
    runId: 'run_1',
    taskId: 'task_1',
    attemptId: `attempt_1-${n}`,
    n,
    repo: { path: user, base },
    keeps: true,
    sandboxed: false,
    title: 'bench',
    at: 1_700_000_000_000,
  });
  let n = 0;
  const prepare = async (): Promise<{ path: string; ms: number }> => {
    n += 1;
    const order = orderOf(n);
    const began = performance.now();
    const { path } = await workspaces.prepare(order, never);
    return { path, ms: performance.now() - began };
  };
  const bare = workersTried.map((workers) => bareCheckout(home, user, base, workers));
  // What is kept of a project is made once; the first workspace after that is what is compared.
  const first = [(await prepare()).ms, (await prepare()).ms];
  const fastest = Math.min(...bare);
  const following: number[] = [];
  const saving: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const path = join(home, 'state', 'workspaces', `attempt_1-${n}`);
    for (let at = 0; at < changed; at += 1) writeFileSync(join(path, folderOf(at * 25), `f${round}.txt`), `${round}`);
    const began = performance.now();
    await workspaces.save(orderOf(n), never);
    saving.push(performance.now() - began);
    following.push((await prepare()).ms);
    await workspaces.idle();
  }
  const ratio = Math.min(...first) / fastest;
  const again = median(following) / fastest;
  return [
    figure('workspaces.fastest_bare_checkout', fastest, 'ms', 'none', true),
    figure('workspaces.first', Math.min(...first), 'ms', 'none', true),
    figure('workspaces.first_to_bare_checkout', ratio, '×', '<= 1.2', ratio <= 1.2),
    figure('workspaces.following', median(following), 'ms', 'none', true),
    figure('workspaces.following_to_bare', again, '×', '<= 0.25', again <= 0.25),
    figure('workspaces.save', median(saving), 'ms', 'none', true),
  ];
}

function bareCheckout(home: string, user: string, base: string, workers: number): number {
  const path = join(home, `bare-${workers}-${Math.random()}`);
  git(home, 'clone', '--quiet', '--shared', '--no-checkout', user, path);
  const began = performance.now();
  git(path, '-c', `checkout.workers=${workers}`, 'checkout', '--quiet', '--detach', base);
  return performance.now() - began;
}

function makeRepository(user: string): string {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(user, folderOf(folder));
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesEach; file += 1) {
      writeFileSync(join(path, `f${file}.txt`), `${folder} ${file}\n`.repeat(40 + ((folder * file) % 200)));
    }
  }
  git(user, 'init', '--quiet');
  git(user, 'add', '.');
  git(user, 'commit', '--quiet', '-m', 'all');
  git(user, 'repack', '-q', '-a', '-d');
  return git(user, 'rev-parse', 'HEAD');
}

function folderOf(at: number): string {
  return `d${Math.floor(at / 50)}/s${at % 50}`;
}

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8' }).trim();
}
