// A run of many works that are integrated at once, some of which conflict, in the text or only together; and what must hold of
// the branch and of every work however often the daemon died meanwhile.

import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView, TaskView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { type Record, recordOf } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask, failureOf } from '../spending/limits-world.ts';

type Task = CreateRunInput['tasks'][number];

export interface Sizes {
  /** Works that fit all others. */
  readonly plain: number;
  /** Two works each that change the same line. */
  readonly conflicts: number;
  /** Two works each that can be merged, and of which each passes alone. */
  readonly pairs: number;
}

/** Of each directory of this name at most one file: two works that add one each fail only together. */
const oneOfEach = 'for d in one-of-*; do test ! -d "$d" || test "$(ls "$d" | wc -l)" -le 1 || exit 1; done';

/** All agents begin from the same commit, and none ends before it is let go. */
export async function submitWorks(world: World, { plain, conflicts, pairs }: Sizes): Promise<RunView> {
  execFileSync('mkfifo', [world.path('gate')]);
  const work = (name: string, path: string): Task => {
    const [here, gate, gone] = ['here', 'gate', 'gone'].map((what) => world.path(what));
    const shell = `touch ${here}-${name}; read go <${gate}; touch ${gone}-${name}; mkdir -p "$(dirname ${path})"; echo ${name} >${path}`;
    return {
      name,
      prompt: name,
      harness: 'command',
      settings: { argv: JSON.stringify(['sh', '-c', shell]) },
      conflictsMax: 0,
      onConflict: 'fail',
    };
  };
  const twice = (count: number, one: (n: number, side: string) => Task): Task[] =>
    ['left', 'right'].flatMap((side) => Array.from({ length: count }, (_, n) => one(n, side)));
  const tasks = [
    ...twice(conflicts, (n, side) => work(`line-${n}-${side}`, `line-${n}`)),
    ...twice(pairs, (n, side) => work(`pair-${n}-${side}`, `one-of-${n}/${side}`)),
    ...Array.from({ length: plain }, (_, n) => work(`plain-${n}`, `plain-${n}`)),
  ];
  const integration = { checks: [{ name: 'one-of-each', argv: ['sh', '-c', oneOfEach] }] };
  const body: CreateRunInput = { id: clientIds.run(), name: 'many', repo: { path: world.repo }, integration, tasks };
  const answer = await ask(world, 'POST', '/runs', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await until(() => tasks.every(({ name }) => existsSync(world.path(`here-${name}`))), {
    timeoutMs: 120_000,
    what: 'all agents to be at work',
  });
  return answer.body as RunView;
}

/** Each takes a line from the gate; it stays open until the last has come. */
export async function letGo(world: World, { tasks }: RunView): Promise<void> {
  const gate = openSync(world.path('gate'), 'r+');
  writeSync(gate, 'go\n'.repeat(tasks.length));
  await until(() => tasks.every(({ name }) => existsSync(world.path(`gone-${name}`))), {
    timeoutMs: 60_000,
    what: 'all agents to go',
  });
  closeSync(gate);
}

export interface Refs {
  /** Every ref of our repository, with its commit. */
  readonly all: ReadonlyMap<string, string>;
  readonly head: string | null;
}

export const bareOf = (world: World): string => {
  const projects = join(world.home, 'work', 'projects');
  return join(projects, readdirSync(projects).find((name) => name.endsWith('.git')) ?? '');
};

const gitIn = (world: World, ...args: string[]): string => world.git('--git-dir', bareOf(world), ...args);

export function refsOf(world: World, runId: string): Refs {
  const lines = gitIn(world, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n').filter(Boolean);
  const all = new Map(lines.map((line) => line.split(' ') as [string, string]));
  return { all, head: all.get(`refs/signalbox-run/${runId}`) ?? null };
}

/** Nothing that a ref named before is out of reach, and the branch went forward. */
export function nothingGone(world: World, before: Refs, now: Refs): void {
  for (const [ref, commit] of before.all) {
    if (now.all.get(ref) === commit) continue;
    expect(gitIn(world, 'for-each-ref', '--contains', commit), `${ref} was at ${commit}`).not.toBe('');
  }
  if (before.head !== null) expect(isIn(world, before.head, now.head ?? '')).toBe(true);
}

function isIn(world: World, commit: string, head: string): boolean {
  return gitIn(world, 'merge-base', commit, head) === commit;
}

interface Step {
  readonly commit: string;
  readonly work: string;
  readonly attemptId: string;
}

/** What integrated, the oldest first. */
function stepsOf(world: World, { repo, branch }: RunView): Step[] {
  const format = '--format=%H %P %(trailers:key=Signalbox-Attempt,valueonly,separator=%x20)';
  const lines = gitIn(world, 'log', '--first-parent', '--reverse', format, `${repo.base}..${branch?.head}`);
  let below = repo.base;
  return lines.split('\n').map((line) => {
    const [commit = '', parent, work = '', attemptId = ''] = line.split(' ');
    expect(parent, `${commit} is an integration on what is below it`).toBe(below);
    below = commit;
    return { commit, work, attemptId };
  });
}

/** The branch passes wherever it was, every work has been integrated once or is kept with the reason, and both sides are named. */
export async function judge(world: World, run: RunView, sizes: Sizes): Promise<void> {
  const { conflicts, pairs } = sizes;
  const record = await recordOf(world, run.id);
  const steps = stepsOf(world, run);
  for (const { commit } of steps) passesAt(world, commit);
  expect(new Set(steps.map(({ work }) => work)).size, 'a work has been integrated twice').toBe(steps.length);
  const integrated = run.tasks.filter(({ outcome }) => outcome?.kind === 'succeeded');
  expect(run.tasks.length - integrated.length, 'one of each two').toBe(conflicts + pairs);
  expect(new Set(steps.map(({ attemptId }) => attemptId))).toEqual(
    new Set(integrated.map(({ attempt }) => attempt?.id)),
  );
  const { all } = refsOf(world, run.id);
  for (const task of run.tasks) {
    const { attempt, attempts, name } = task;
    expect(attempts, name).toBe(1);
    expect(all.get(attempt?.ref ?? ''), `the work of ${name}`).toBe(attempt?.commit);
    const step = steps.find(({ attemptId }) => attemptId === attempt?.id);
    if (task.outcome?.kind === 'succeeded') expect(step?.work, name).toBe(attempt?.commit);
    else namesOther(run, task, record);
  }
  expect(record.of('integration.succeeded').map(({ head }) => head)).toEqual(steps.map(({ commit }) => commit));
  expect(steps.at(-1)?.commit).toBe(run.branch?.head);
}

function passesAt(world: World, commit: string): void {
  const directory = mkdtempSync(world.path('look-'));
  const archive = execFileSync('git', ['--git-dir', bareOf(world), 'archive', commit], { env: world.env });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  execFileSync('sh', ['-c', oneOfEach], { cwd: directory });
  rmSync(directory, { recursive: true });
}

/** The other of the two has been integrated, and is named. */
function namesOther(run: RunView, task: TaskView, record: Record): void {
  const { reason, detail } = failureOf(task);
  expect(reason, task.name).toBe('conflict');
  const otherName = task.name.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left'));
  const other = run.tasks.find(({ name }) => name === otherName);
  expect(other?.outcome?.kind, otherName).toBe('succeeded');
  expect(detail).toContain(`"${otherName}"`);
  const isHere = ({ attemptId }: { attemptId: string }): boolean => attemptId === task.attempt?.id;
  if (task.name.startsWith('line')) {
    const path = task.name.replace(/-(left|right)$/, '');
    const told = record.of('integration.conflicted').filter(isHere);
    expect(told).toMatchObject([{ paths: [path], pathsTotal: 1, with: [other?.attempt?.id] }]);
  } else {
    const told = record.of('integration.failed').filter(isHere);
    expect(told).toMatchObject([{ with: other?.attempt?.id, items: [{ check: 'one-of-each', passed: false }] }]);
    expect(detail).toContain('check "one-of-each" fails');
  }
}
