// S16: agents claim success without having it: no output, an invalid one, nothing done, work that only their own directory has,
// work outside their paths, background work that goes on. None is believed.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView, TaskView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { endProcess } from '../crash/storm-daemon.ts';
import type { World } from '../daemon/daemon-world.ts';
import {
  failureOf,
  recordOf,
  runEnd,
  runOf,
  submit,
  taskEnd,
  taskNamed,
  transcriptOf,
} from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

type Task = CreateRunInput['tasks'][number];

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '24' });
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const bugs = { type: 'object', properties: { bugs: { type: 'array' } }, required: ['bugs'] };
const isIn = (path: string) => [{ name: 'made', argv: ['sh', '-c', `test -e ${path}`] }];
const write = (path: string): object => ({ write: { path, text: 'made\n' } });
const success: readonly object[] = [{ say: 'Success: all is done and tested.' }];
const scripted = (steps: readonly object[], more: Partial<Task> = {}): Partial<Task> => ({
  settings: { script: JSON.stringify(steps) },
  ...more,
});
const command = (shell: string, more: Partial<Task>): Partial<Task> => ({
  harness: 'command',
  settings: { argv: JSON.stringify(['sh', '-c', shell]) },
  ...more,
});

/** A way to claim success without having it. Some agents correct it when they are told; the others claim the same again. */
interface Lie {
  readonly says: (n: number) => Partial<Task>;
  readonly mends: (n: number) => Partial<Task>;
  /** Why it fails in the end, what is named as missing, and after how many attempts. */
  readonly reason: string;
  readonly missing: string;
  readonly attempts: number;
}

const again = [{ turn: 'Success.' }, { turn: 'Success, really.' }, { turn: 'Success, as I said.' }];

/** The same beginning for both: what it says first is the same lie. */
function told(begin: (n: number) => readonly object[], mend: (n: number) => readonly object[], more: MoreOf) {
  return {
    says: (n: number) => scripted([...begin(n), ...success, ...again], more(n)),
    mends: (n: number) => scripted([...begin(n), ...success, { turn: 'Success.' }, ...mend(n)], more(n)),
  };
}
type MoreOf = (n: number) => Partial<Task>;

const lies: Readonly<Record<string, Lie>> = {
  'gives no output': {
    ...told(
      () => [],
      () => [{ output: { bugs: [] } }],
      () => ({ output: bugs }),
    ),
    reason: 'invalid-output',
    missing: 'there is none',
    attempts: 1,
  },
  'gives an output that does not fit': {
    ...told(
      () => [{ output: { bugs: 'none' } }],
      () => [{ output: { bugs: [] } }],
      () => ({ output: bugs }),
    ),
    reason: 'invalid-output',
    missing: '/bugs must be array',
    attempts: 1,
  },
  'has done nothing': {
    ...told(
      () => [],
      (n) => [write(`made-${n}`)],
      (n) => ({ checks: isIn(`made-${n}`) }),
    ),
    reason: 'check-failed',
    missing: 'check "made"',
    attempts: 3,
  },
  'has what is needed where git ignores it': {
    ...told(
      (n) => [write(`ignored/${n}`), { run: `test -e ignored/${n}` }],
      (n) => [write(`ignored/${n}`), { run: `git add -f ignored/${n}` }, { commit: 'Keep it' }],
      (n) => ({ checks: isIn(`ignored/${n}`) }),
    ),
    reason: 'check-failed',
    missing: 'check "made"',
    attempts: 3,
  },
  'has what is needed in its home': {
    ...told(
      (n) => [{ run: `touch "$HOME/ready-${n}"` }, { run: `test -e "$HOME/ready-${n}"` }],
      (n) => [write(`ready-${n}`)],
      (n) => ({ checks: isIn(`ready-${n} -o -e "$HOME/ready-${n}"`) }),
    ),
    reason: 'check-failed',
    missing: 'check "made"',
    attempts: 3,
  },
  'leaves uncommitted what spoils it': {
    ...told(
      (n) => [write(`good-${n}`), { commit: 'All is good' }, write(`debris-${n}`)],
      (n) => [{ run: `rm debris-${n}` }, { commit: 'Tidy up' }],
      (n) => ({ checks: isIn(`good-${n} -a ! -e debris-${n}`) }),
    ),
    reason: 'check-failed',
    missing: 'check "made"',
    attempts: 3,
  },
  'works outside of its paths': {
    ...told(
      (n) => [write(`src/${n}/mine`), write(`elsewhere-${n}`)],
      (n) => [{ run: `rm elsewhere-${n}` }],
      (n) => ({ writes: [`src/${n}/**`] }),
    ),
    reason: 'out-of-scope',
    missing: 'elsewhere-',
    attempts: 3,
  },
  'leaves it to a process that outlives it': {
    ...told(
      (n) => [{ run: `setsid sh -c 'sleep 600; touch late-${n}' >/dev/null 2>&1 &` }],
      (n) => [write(`late-${n}`)],
      (n) => ({ checks: isIn(`late-${n}`) }),
    ),
    reason: 'check-failed',
    missing: 'check "made"',
    attempts: 3,
  },
  'goes on in the background': {
    says: (n) => scripted([{ background: 'sleep 600' }, write(`made-${n}`), ...success], { timeoutMs: 8_000 }),
    mends: (n) => {
      const later = `until [ -e ${world.path('go')} ]; do sleep 0.1; done; touch made-${n}`;
      return scripted([{ background: later }, ...success], { checks: isIn(`made-${n}`) });
    },
    reason: 'timeout',
    missing: '',
    attempts: 1,
  },
  'is a command that exits with 0': {
    says: () => command('echo success', { output: bugs, attemptsMax: 2 }),
    mends: (n) => {
      const tried = world.path(`tried-${n}`);
      const second = `printf '{"bugs":[]}' >"$SIGNALBOX_OUTPUT"`;
      return command(`echo success; test -e ${tried} && ${second}; touch ${tried}`, { output: bugs, attemptsMax: 2 });
    },
    reason: 'invalid-output',
    missing: 'there is none',
    attempts: 2,
  },
};

const kinds = Object.values(lies);
const liar = (n: number, kind: string): Task => ({ name: `liar-${n}`, prompt: kind, retryDelayMs: 100 });

it('S16: twenty agents claim success: none succeeds for that, and their dependants wait for evidence [EVID-1] [EVID-2] [INT-1]', {
  timeout: 240_000,
}, async () => {
  writeFileSync(join(world.repo, '.gitignore'), 'ignored/\n');
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', 'Ignore');
  await world.up();
  const liars = Object.entries(lies).flatMap(([kind, { says, mends }], n): Task[] => [
    { ...liar(2 * n, kind), ...says(2 * n) },
    { ...liar(2 * n + 1, kind), ...mends(2 * n + 1) },
  ]);
  const after = liars.map(
    ({ name }): Task => ({ name: `after-${name}`, prompt: 'go on', needs: [name], ...scripted([]) }),
  );
  const { id } = await submit(world, [...liars, ...after]);
  const inBackground = `liar-${Object.keys(lies).indexOf('goes on in the background') * 2 + 1}`;
  await until(async () => hasSaidSo(taskNamed(await runOf(world, id), inBackground)), {
    timeoutMs: 60_000,
    what: 'success to be said by one who goes on',
  });
  expect(taskNamed(await runOf(world, id), inBackground).outcome).toBeNull();
  world.touch('go');
  const run = await runEnd(world, id, 200_000);
  const record = await recordOf(world, id);
  expect(liars).toHaveLength(20);
  for (const [n, { name, prompt }] of liars.entries()) {
    const [lie, task] = [kinds[Math.floor(n / 2)] as Lie, taskNamed(run, name)];
    const next = taskNamed(run, `after-${name}`);
    if (n % 2 === 0) stayedFalse(task, next, record, lie, `${prompt as string}`);
    else becameTrue(task, next, record, `${prompt as string}`);
  }
});

/** Its result line is out. */
function hasSaidSo(task: TaskView): boolean {
  return task.attempt?.launchState === 'live' && transcriptOf(world, task).includes('"type":"result"');
}

function stayedFalse(task: TaskView, next: TaskView, record: readonly RunEvent[], lie: Lie, what: string): void {
  const failure = failureOf(task);
  expect(failure.reason, what).toBe(lie.reason);
  expect(failure.detail, what).toContain(lie.missing);
  expect(task.attempts, what).toBe(lie.attempts);
  expect(next.outcome, what).toEqual({ kind: 'skipped', because: task.id });
  expect(at(record, 'attempt.started', next)).toBe(-1);
  expect(at(record, 'integration.queued', task), what).toBe(-1);
}

function becameTrue(task: TaskView, next: TaskView, record: readonly RunEvent[], what: string): void {
  expect(task.outcome?.kind, `${what}: ${JSON.stringify(task.outcome)}`).toBe('succeeded');
  expect(next.outcome?.kind, what).toBe('succeeded');
  const said = at(record, 'turn.ended', task);
  const proved = record.findIndex((event) => isOf(event, 'evidence.recorded', task) && allPassed(event));
  const ended = record.findIndex((event) => event.type === 'task.ended' && event.taskId === task.id);
  const integrated = at(record, 'integration.succeeded', task);
  // Work that is none does not be integrated.
  const order = [said, proved, ...(integrated < 0 ? [] : [integrated]), ended, at(record, 'attempt.started', next)];
  expect(said, what).toBeGreaterThanOrEqual(0);
  expect(order, what).toEqual([...order].sort((one, other) => one - other));
  const word = record.slice(said, proved);
  const refused = word.some((event) => isOf(event, 'output.refused', task) || isOf(event, 'attempt.ended', task));
  expect(refused || what === 'goes on in the background', what).toBe(true);
}

const allPassed = (event: RunEvent): boolean =>
  event.type === 'evidence.recorded' && event.items.every(({ passed }) => passed);

const isOf = (event: RunEvent, type: RunEvent['type'], { id }: TaskView): boolean =>
  event.type === type && 'attemptId' in event && event.attemptId.startsWith(`${id.replace('task_', 'attempt_')}-`);

const at = (record: readonly RunEvent[], type: RunEvent['type'], task: TaskView): number =>
  record.findIndex((event) => isOf(event, type, task));

it('S16: uncommitted work is saved for its agent and reported, and judged as it is [EVID-1] [WS-25]', async () => {
  await world.up();
  const half = [write('one'), { commit: 'Half of it' }, write('two'), write('three')];
  const { id } = await submit(world, [
    { name: 'half', prompt: 'half', ...scripted(half, { checks: isIn('one -a -e two -a -e three') }) },
  ]);
  const run = await runEnd(world, id);
  const { outcome, attempt } = taskNamed(run, 'half');
  expect(outcome?.kind).toBe('succeeded');
  const committed = attempt?.checks?.find(({ check }) => check === 'committed work');
  expect(committed).toMatchObject({
    passed: true,
    detail: expect.stringContaining('2 paths were not committed; Signalbox saved them'),
  });
  expect(branchHas(run, 'three')).toBe(true);
});

function branchHas(run: RunView, path: string): boolean {
  const { gitDir = '' } = run.tasks[0]?.attempt ?? {};
  return world
    .git('--git-dir', gitDir, 'ls-tree', '--name-only', run.branch?.head ?? '')
    .split('\n')
    .includes(path);
}

it('S16: work whose checks cannot be run is unverified: no success, kept, and proved once they can [EVID-3] [CHECK-3]', async () => {
  await world.up();
  const steps = [write('made'), { waitFor: world.path('go') }, ...success];
  const { id } = await submit(world, [
    { name: 'first', prompt: 'first', ...scripted(steps, { checks: isIn('made') }) },
    { name: 'second', prompt: 'second', needs: ['first'], ...scripted([write('next')]) },
  ]);
  await until(() => world.agents().length === 1, { timeoutMs: 30_000, what: 'it to be at work' });
  // Every sandbox is to have it: without it none can be set up.
  const users = join(world.home, 'sandbox', 'passwd');
  renameSync(users, `${users}.away`);
  world.touch('go');
  const first = await taskEnd(world, id, 'first');
  expect(failureOf(first)).toMatchObject({ reason: 'unverified' });
  expect(first.attempts).toBe(1);
  const { gitDir = '', ref } = first.attempt ?? {};
  expect(world.git('--git-dir', gitDir, 'show', `${ref}:made`)).toBe('made');
  expect((await runEnd(world, id)).tasks.map(({ outcome }) => outcome?.kind)).toEqual(['failed', 'skipped']);
  renameSync(`${users}.away`, users);
  expect((await world.sb(['retry', 'first'])).code).toBe(0);
  expect((await runEnd(world, id)).tasks.map(({ outcome }) => outcome?.kind)).toEqual(['succeeded', 'succeeded']);
});

it('S16: an agent that is lost again and again ends as lost, whatever it said [LAU-3]', async () => {
  await world.up();
  const steps = [write('made'), ...success, { hang: true }];
  const { id } = await submit(world, [
    { name: 'first', prompt: 'first', ...scripted(steps, { checks: isIn('made') }) },
    { name: 'second', prompt: 'second', needs: ['first'], ...scripted([write('next')]) },
  ]);
  const over = await until(
    async () => {
      // The shim first: it would tell how its agent ended.
      const shims = world.processes().filter(({ command: words }) => /^\S*sh \S*shim\.sh/.test(words));
      for (const { pid } of [...shims, ...world.agents()]) endProcess(pid);
      const run = await runOf(world, id);
      return run.state === 'ended' && run;
    },
    { timeoutMs: 60_000, what: 'the run to end' },
  );
  expect(failureOf(taskNamed(over, 'first'))).toMatchObject({ reason: 'lost' });
  expect(taskNamed(over, 'second').outcome?.kind).toBe('skipped');
  expect(over.branch).toBeNull();
});
