// S5: Signalbox, its shims and all its agents are killed together at moments of chance, and come back knowing what they did.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/model/core/events.ts';
import type { RunView, TaskView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { amount, type Chance, withChance } from '../crash/storm-chance.ts';
import { endedRun, killEverything, runOf, startDaemon } from '../crash/storm-daemon.ts';
import {
  gitOf,
  launchFile,
  type Record,
  recordOf,
  replayedView,
  savedWork,
  twoFolds,
  withJournal,
} from '../crash/storm-record.ts';
import { openWorld, readOr, type World } from '../daemon/daemon-world.ts';

const rounds = amount('CHAOS_ROUNDS', 3, 50);
const agentsCount = 8;
const recoveryMaxMs = 10_000;
const timeoutMs = 60_000;

let world: World;

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: String(agentsCount) });
});

afterEach(() => world.close());

it(
  `S5: of ${agentsCount} agents killed together with Signalbox, ${rounds} times, each is resumed, told, and done exactly once [CLI-4] [LAU-3]`,
  {
    timeout: 120_000 + rounds * 30_000,
  },
  () =>
    withChance(async (chance) => {
      let resumed = 0;
      for (let round = 1; round <= rounds; round++) resumed += await crash(round, chance);
      expect(resumed, 'agents resumed over all rounds').toBeGreaterThan(0);
      expect((await world.sb(['verify'])).code).toBe(0);
    }),
);

it('S5: an agent with a lost session starts a new one from the journal and ends its task; the other is told what was open [LAU-8]', async () => {
  const daemon = startDaemon(world);
  await daemon.ready();
  const runId = await submit(['kept', 'lost'].map((name) => stepsOf(name, [{ waitFor: world.path('go') }])));
  const { tasks } = await until(
    async () => {
      const run = await runOf(world, runId);
      return run.tasks.every((task) => memoryOf(task).stepsDone === steps) && run;
    },
    { timeoutMs, what: 'both agents to be held' },
  );
  const before = await recordOf(world, runId);
  await killEverything(world);
  const [kept, lost] = tasks as [TaskView, TaskView];
  rmSync(sessionFile(lost));
  world.touch('go');
  await startDaemon(world).ready();
  const run = await endedRun(world, runId);
  expect(run.tasks.map(({ outcome }) => outcome?.kind)).toEqual(['succeeded', 'succeeded']);
  const record = await recordOf(world, runId);
  expect(record.of('agent.sessionLost').map(({ agentId }) => agentId)).toEqual([agentOf(lost)]);
  const sessions = (events: Record) => events.of('agent.session').filter(({ agentId }) => agentId === agentOf(lost));
  const [first] = sessions(before);
  expect(sessions(record).at(-1)?.session).not.toBe(first?.session);
  const last = run.tasks[1]?.attempt?.launches.at(-1) ?? '';
  expect(launchFile(world, last, 'spec.json')).not.toContain('--resume');
  expect(launchFile(world, last, 'in')).toContain('You have worked on this before, and that conversation was lost');
  expect(launchFile(world, last, 'in')).toContain('agent 2');
  // What reached beyond the workspace may have been done again, and the agent was warned of it; the other one's was not.
  expect(launchFile(world, last, 'in')).toContain('look before you repeat a command that reaches beyond it');
  expect(countLines('lost').get('0')).toBe(2);
  expect(Math.max(...countLines('kept').values())).toBe(1);
  expect(run.tasks[0]?.attempt?.launches).toHaveLength(2);
  // The call that it was killed in is named.
  const told = launchFile(world, run.tasks[0]?.attempt?.launches.at(-1) ?? '', 'in');
  expect(told).toContain(`These were under way:\\n- Bash: `);
  expect(told).toContain(world.path('go'));
  expect(kept.attempts).toBe(1);
  expect(savedWork(world, run).size).toBe(2);
});

/** One run, killed once. Gives how many agents were resumed. */
async function crash(round: number, chance: Chance): Promise<number> {
  await startDaemon(world).ready();
  const names = Array.from({ length: agentsCount }, (_, i) => `r${round}-a${i}`);
  const runId = await submit(names.map((name) => stepsOf(name)));
  await moment(runId, names, chance);
  await killEverything(world);
  const killed = await recordOf(world, runId);
  const memories = new Map(names.map((name, i) => [name, memoryOf(taskOf(killed, i))]));

  const startedAt = performance.now();
  const daemon = startDaemon(world);
  expect(await daemon.ready()).toBe(true);
  await expectReplay(runId);
  const brought = (): Promise<boolean> => recordOf(world, runId).then((record) => isBroughtBack(killed, record));
  const left = recoveryMaxMs - (performance.now() - startedAt);
  await until(brought, { timeoutMs: left, what: 'every agent to be back' });
  await expectReplay(runId);

  const run = await endedRun(world, runId);
  const record = await recordOf(world, runId);
  expectOnce(run, record);
  run.tasks.forEach((task, i) => expectEffects(names[i] as string, task, memories));
  for (const launchId of relaunchesOf(record)) expectTold(record, launchId);
  await daemon.kill();
  return relaunchesOf(record).length;
}

/** Until one of two kinds of events has come so often: something done by an agent, or something noted by Signalbox. */
async function moment(runId: string, names: readonly string[], chance: Chance): Promise<void> {
  if (chance.between(0, 2) > 0) {
    const wanted = chance.between(1, agentsCount * effects - 1);
    const done = (): number => names.reduce((sum, name) => sum + world.text(name).split('\n').length - 1, 0);
    await until(() => done() >= wanted, { timeoutMs, what: `${wanted} things to be done` });
  } else {
    const wanted = chance.between(30, 110);
    await withJournal(world, (journal) => {
      const noted = async (): Promise<boolean> => ((await journal.head(runId))?.seq ?? 0) >= wanted;
      return until(noted, { timeoutMs, what: `${wanted} events to be noted` });
    });
  }
}

/** The usage of what runs is read while it runs, and journalled with the end of a turn. */
function withoutLive(run: RunView): object {
  const isOpen = ({ outcome }: TaskView): boolean => outcome === null;
  const tasks = run.tasks.map((task) => ({ ...task, progress: null, usage: isOpen(task) ? null : task.usage }));
  return { ...run, usage: run.tasks.some(isOpen) ? null : run.usage, tasks };
}

/** What is shown is what the events alone make of it, but for what goes on at this moment. */
async function expectReplay(runId: string): Promise<void> {
  const shown = await runOf(world, runId);
  const replayed = JSON.parse(JSON.stringify(await replayedView(world, runId, shown.seq))) as RunView;
  expect(withoutLive(shown)).toEqual(withoutLive(replayed));
  const { loaded, folded } = await twoFolds(world, runId);
  expect(loaded).toBe(folded);
}

/** Each launch that lived when all was killed has come to its end, and where it was lost another has been started. */
function isBroughtBack(killed: Record, now: Record): boolean {
  const open = killed.of('launch.intended').filter(({ launchId }) => !isOver(killed, launchId));
  const started = new Set(now.of('launch.started').map(({ launchId }) => launchId));
  const intended = now.of('launch.intended');
  return open.every(({ launchId, attemptId }) => {
    if (!isOver(now, launchId))
      return started.has(launchId) && !killed.of('launch.started').some((e) => e.launchId === launchId);
    const last = intended.filter((each) => each.attemptId === attemptId).at(-1);
    return last !== undefined && (started.has(last.launchId) || isOver(now, last.launchId));
  });
}

function isOver({ events }: Record, launchId: string): boolean {
  return events.some(
    (event) => (event.type === 'launch.ended' || event.type === 'launch.lost') && event.launchId === launchId,
  );
}

function relaunchesOf(record: Record): string[] {
  return record.of('launch.intended').flatMap(({ launchId }) => (/[._-]1$/.test(launchId) ? [] : [launchId]));
}

function expectOnce(run: RunView, record: Record): void {
  expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
  const ended = record.of('task.ended').map(({ taskId, outcome }) => `${taskId} ${outcome.kind}`);
  expect(ended.sort()).toEqual(run.tasks.map(({ id }) => `${id} succeeded`).sort());
  expect(record.of('run.ended')).toHaveLength(1);
  expect(record.of('attempt.started')).toHaveLength(agentsCount);
  const saved = savedWork(world, run);
  expect(new Set(saved.keys())).toEqual(new Set(run.tasks.map(({ attempt }) => attempt?.ref)));
  for (const task of run.tasks) {
    expect(saved.get(task.attempt?.ref ?? '')).toBe(task.attempt?.commit);
    const files = gitOf(world, task, 'ls-tree', '--name-only', task.attempt?.commit ?? '').split('\n');
    expect(files).toEqual(['README.md', ...Array.from({ length: effects }, (_, n) => `part-${n}`)]);
  }
}

/** Finished steps are not repeated; the one under way may have been done and not noted. */
function expectEffects(name: string, task: TaskView, memories: ReadonlyMap<string, Memory>): void {
  const { stepsDone, heardOf } = memories.get(name) as Memory;
  const counts = countLines(name);
  expect([...counts.keys()]).toEqual(Array.from({ length: effects }, (_, n) => String(n)));
  for (const [line, times] of counts) {
    const underWay = Number(line) * stepsPerEffect === stepsDone || !heardOf;
    expect(times, `${task.name} did ${line} so often, was killed at step ${stepsDone}`).toBeLessThanOrEqual(
      underWay ? 2 : 1,
    );
  }
}

/** The process after a lost one: how it was started and what its input was. */
function expectTold(record: Record, launchId: string): void {
  const index = record.events.findIndex((event) => event.type === 'launch.intended' && event.launchId === launchId);
  const intended = record.events[index] as Extract<RunEvent, { type: 'launch.intended' }>;
  const started = record.of('attempt.started').find(({ attemptId }) => attemptId === intended.attemptId);
  const before = record.events.slice(0, index);
  const session = before.findLast((event) => event.type === 'agent.session' && event.agentId === started?.agentId);
  const told = launchFile(world, launchId, 'in');
  const argv = (JSON.parse(launchFile(world, launchId, 'spec.json')) as { argv: string[] }).argv;
  if (session?.type !== 'agent.session') {
    // It died before it printed anything: there is no session to resume, and it starts with its prompt.
    expect(intended.resume).toBe(false);
    expect(told).toContain('agent ');
    return;
  }
  expect(intended.resume).toBe(true);
  expect(argv).toContain('--resume');
  expect(launchFile(world, launchId, 'out')).toContain(`"session_id":"${session.session}"`);
  const took = before.some((event) => event.type === 'record.delivered' && event.agentId === started?.agentId);
  expect(told).toContain(took ? 'may have taken effect in part or in whole' : 'agent ');
}

interface Memory {
  readonly stepsDone: number;
  /** Its first line reached the disk: otherwise its session cannot be known. */
  readonly heardOf: boolean;
}

function memoryOf({ attempt }: Pick<TaskView, 'attempt'>): Memory {
  if (attempt === null) return { stepsDone: 0, heardOf: true };
  const session = readOr(sessionFile({ attempt }), '{"stepsDone":0}');
  const out = launchFile(world, attempt.launches[0] ?? 'none', 'out');
  return { stepsDone: (JSON.parse(session) as { stepsDone: number }).stepsDone, heardOf: /"subtype":"init"/.test(out) };
}

/** As much of a view as `memoryOf` needs, from the journal alone. */
function taskOf(record: Record, index: number): Pick<TaskView, 'attempt'> {
  const taskId = record.of('task.added')[index]?.task.id;
  const attempt = record.of('attempt.started').find((event) => event.taskId === taskId);
  if (attempt === undefined) return { attempt: null };
  const launches = record.of('launch.intended').filter(({ attemptId }) => attemptId === attempt.attemptId);
  const view = { id: attempt.attemptId, launches: launches.map(({ launchId }) => launchId) };
  return { attempt: view as unknown as TaskView['attempt'] };
}

function sessionFile({ attempt }: Pick<TaskView, 'attempt'>): string {
  return join(world.home, 'agents', agentOf({ attempt }), 'session.json');
}

function agentOf({ attempt }: Pick<TaskView, 'attempt'>): string {
  return (attempt?.id ?? '').replace(/^attempt_/, 'agent_');
}

function countLines(name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of world.text(name).trim().split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => Number(a) - Number(b)));
}

const effects = 5;
const stepsPerEffect = 3;
const steps = effects * stepsPerEffect;

/** Each effect: something outside the workspace, something inside, a moment. */
function stepsOf(name: string, last: readonly object[] = []): string {
  const each = Array.from({ length: effects }, (_, n) => [
    n % 2 === 0 ? { append: { path: world.path(name), text: `${n}\n` } } : { run: `echo ${n} >>'${world.path(name)}'` },
    { write: { path: `part-${n}`, text: `${name} ${n}\n` } },
    { wait: 30 },
  ]);
  return world.script([...each.flat(), ...last]);
}

async function submit(scripts: readonly string[]): Promise<string> {
  const prompts = scripts.map((_, i) => `agent ${i + 1}`);
  const args = [
    'run',
    ...prompts,
    '--apart',
    '--detach',
    '--json',
    ...scripts.flatMap((script) => ['--script', script]),
  ];
  const { code, stdout, stderr } = await world.sb(args);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as RunView).id;
}
