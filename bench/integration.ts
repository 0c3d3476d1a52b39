// What it costs to be integrated a hundred works in a large repository, beside the git commands that anybody would need for it in the
// same order: a merge and a commit for each, one checkout for the check, one move of the branch. And how often checks are run
// where some works fail.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkAttempt, openLayout } from '../src/git/commands/layout.ts';
import { createIntegrations } from '../src/git/integrate/integrate.ts';
import type { Test } from '../src/git/land/test-commit.ts';
import { checkOut } from '../src/git/workspace/checkout.ts';
import { openWorkspaces } from '../src/git/workspace/workspaces.ts';
import type { IntegrateResult, IntegrateWork } from '../src/ports/integration-port.ts';
import { type BenchFigure, figure } from './figure.ts';

const files = 10_000;
const filesEach = 20;
const branches = 100;
const rounds = 2;
/** Of the first so many works these fail. */
const queue = 64;
const bad = [5, 21, 50];
const never = new AbortController().signal;
const checks = [{ name: 'instant', argv: ['true'], timeoutMs: 1000 }];

export async function benchIntegration(): Promise<BenchFigure[]> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  try {
    const state = join(home, 'state');
    const works = await prepare(home, state);
    const reference: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      reference.push(plumbing(copyOf(home, state, `reference-${round}`), works));
      ours.push(await integrateAll(copyOf(home, state, `ours-${round}`), works));
    }
    const [fastest, plain] = [Math.min(...ours), Math.min(...reference)];
    const ratio = fastest / plain;
    const { runs, bound } = await countRuns(copyOf(home, state, 'runs'), works.slice(0, queue));
    return [
      figure('integration.plumbing_for_100', plain, 'ms', 'none', true),
      figure('integration.batch_of_100', fastest, 'ms', 'none', true),
      figure('integration.batch_to_plumbing', ratio, '×', '<= 1.5', ratio <= 1.5),
      figure(`integration.checks_for_${bad.length}_bad_of_${queue}`, runs, 'runs', `<= ${bound}`, runs <= bound),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A repository, our own copy of it, and in that a branch for each work, which changes two files and adds one. */
async function prepare(home: string, state: string): Promise<IntegrateWork[]> {
  const user = join(home, 'user');
  mkdirSync(user);
  git(user, 'init', '--quiet', '-b', 'main');
  const all = Array.from({ length: files }, (_, n) => [pathOf(n), `${n}\n`.repeat(40)] as const);
  fastImport(user, [commitText('refs/heads/main', null, all)]);
  const base = git(user, 'rev-parse', 'main');
  const order = { runId: 'run_1', taskId: 'task_1', attemptId: 'attempt_1-0', n: 0, repo: { path: user, base } };
  const workspaces = await openWorkspaces({ root: state });
  const more = { keeps: true, sandboxed: false, title: 'bench', at: 1_700_000_000_000 };
  await workspaces.prepare({ ...order, ...more }, never);
  // Each round works on a copy of the rest.
  for (const folder of ['workspaces', 'scratch']) rmSync(join(state, folder), { recursive: true, force: true });
  const bare = bareIn(state);
  const numbers = Array.from({ length: branches }, (_, n) => n);
  const changed = numbers.map((n) => {
    const names = [pathOf(n * 97), pathOf(n * 97 + 53), `${pathOf(n * 97)}.new`];
    return commitText(
      `refs/bench/${n}`,
      base,
      names.map((name) => [name, `changed by ${n}\n`] as const),
    );
  });
  fastImport(bare, changed);
  const layout = await openLayout(state);
  const works: IntegrateWork[] = [];
  for (const n of numbers) {
    const attemptId = `attempt_1-${n + 1}`;
    await linkAttempt(layout, attemptId, bare);
    const { title, at } = more;
    const commit = git(bare, 'rev-parse', `refs/bench/${n}`);
    works.push({ attemptId, commit, base, title, at, trailers: [], checks: [], wanted: true });
  }
  return works;
}

async function integrateAll(root: string, works: readonly IntegrateWork[]): Promise<number> {
  let checkouts = 0;
  const test: Test = async ({ bare, commit }, signal) => {
    checkouts += 1;
    const path = join(root, `checkout-${checkouts}`);
    mkdirSync(path);
    await checkOut({ bare, path, commit, branch: null, config: {} }, signal);
    return [{ check: 'instant', passed: true, detail: 'exit 0' }];
  };
  const began = performance.now();
  const results = await integrate(root, works, test);
  const ms = performance.now() - began;
  if (!results.every(({ kind }) => kind === 'integrated') || checkouts !== 1)
    throw new Error('not all integrated at once');
  return ms;
}

function plumbing(root: string, works: readonly IntegrateWork[]): number {
  const bare = bareIn(root);
  const path = join(root, 'checkout');
  const began = performance.now();
  let tip = works[0]?.base ?? '';
  for (const { commit } of works) {
    const tree = git(bare, 'merge-tree', '--write-tree', tip, commit);
    tip = git(bare, 'commit-tree', tree, '-p', tip, '-p', commit, '-m', 'bench');
  }
  git(root, 'clone', '--quiet', '--shared', '--no-checkout', bare, path);
  git(path, '-c', 'checkout.workers=8', 'checkout', '--quiet', '--detach', tip);
  git(bare, 'update-ref', 'refs/bench/target', tip);
  return performance.now() - began;
}

/** Including the search for the work that each fails with, which takes two runs for one that fails alone. */
async function countRuns(root: string, works: readonly IntegrateWork[]): Promise<{ runs: number; bound: number }> {
  let runs = 0;
  const test: Test = async ({ bare, commit }) => {
    runs += 1;
    const names = new Set(git(bare, 'ls-tree', '-r', '--name-only', commit).split('\n'));
    const passed = !bad.some((n) => names.has(`${pathOf(n * 97)}.new`));
    return [{ check: 'instant', passed, detail: passed ? 'exit 0' : 'exit 1' }];
  };
  const results = await integrate(root, works, test);
  const failed = results.flatMap(({ kind }, n) => (kind === 'failed' ? [n] : []));
  if (failed.join() !== bad.join()) throw new Error(`${failed.join()} failed, not ${bad.join()}`);
  return { runs, bound: 1 + bad.length * (Math.ceil(Math.log2(queue)) + 1 + 2) };
}

async function integrate(
  root: string,
  works: readonly IntegrateWork[],
  test: Test,
): Promise<readonly IntegrateResult[]> {
  const order = { runId: 'run_1', head: works[0]?.base ?? '', works, checks, sandboxed: false };
  return createIntegrations({ root, test }).integrate(order, never);
}

function copyOf(home: string, state: string, name: string): string {
  const copy = join(home, name);
  // Links between them are relative, and are to stay so.
  cpSync(state, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function bareIn(root: string): string {
  return join(root, 'projects', readdirSync(join(root, 'projects'))[0] ?? '');
}

function pathOf(n: number): string {
  const folder = Math.floor((n % files) / filesEach);
  return `d${Math.floor(folder / 25)}/s${folder % 25}/f${n % filesEach}.txt`;
}

function commitText(ref: string, from: string | null, changes: readonly (readonly [string, string])[]): string {
  const who = 'committer bench <bench@localhost> 1700000000 +0000\ndata 5\nbench\n';
  const parent = from === null ? '' : `from ${from}\n`;
  const edits = changes.map(([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  return `commit ${ref}\n${who}${parent}${edits.join('')}\n`;
}

function fastImport(cwd: string, commits: readonly string[]): void {
  execFileSync('git', ['fast-import', '--quiet'], { cwd, input: commits.join('') });
}

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
}
