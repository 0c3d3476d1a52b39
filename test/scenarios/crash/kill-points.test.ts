// The daemon is killed right after each change that it makes to the journal or to the world, one point a run; however far it
// came, the next daemon brings the run to the same end.

import { expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { sweepPoints } from './kill-sweep.ts';
import { amount, isLong, withChance } from './storm-chance.ts';
import { startDaemon } from './storm-daemon.ts';
import { gitOf, launchFile, type Record, recordOf, savedWork, twoFolds } from './storm-record.ts';

/** Without CHAOS one of so many points; which ones is chance, so that in time all have their turn. */
const stride = amount('KILL_POINTS_STRIDE', 5, 1);
/** Every one of these points is reached; there are more. */
const pointsMin = 20;
/** Far more than there are. */
const pointsMax = 500;
const pointTimeMs = 60_000;

const which = stride === 1 ? 'each' : `one in ${stride}`;

it(`kill points: killed after ${which} of its appends and effects, the daemon brings the run to the same end [ENG-7] [ENG-8]`, {
  timeout: isLong ? 1_800_000 : 240_000,
}, async () => {
  const seen = await killedAtEach(stride, []);
  expect(seen.size).toBeGreaterThan(Math.floor(20 / stride));
  if (stride > 1) return;
  const names = ['journal.append', 'homes.prepare', 'launches.start', 'launches.write', 'launches.watch'];
  const more = ['workspaces.prepare', 'workspaces.save', 'artifacts.put', 'prover.prove'];
  expect(new Set(seen.values())).toEqual(new Set([...names, ...more]));
});

it('kill points: agents under a budget get one answer to each question, and their usage is booked once [BUD-10] [BUD-13]', {
  timeout: isLong ? 1_800_000 : 240_000,
}, async () => {
  const sparse = isLong ? stride : 4 * stride;
  expect((await killedAtEach(sparse, ['--max-usd', '5'])).size).toBeGreaterThan(Math.floor(20 / sparse));
});

/** Where it died, by the number of the point. */
async function killedAtEach(every: number, more: readonly string[]): Promise<ReadonlyMap<number, string>> {
  let seen: ReadonlyMap<number, string> = new Map();
  await withChance(async (chance) => {
    const undisturbed = await endOf(null, more);
    seen = await sweepPoints({ first: chance.between(1, every), every, pointsMin, pointsMax }, async (point) => {
      const { diedAt, ...end } = await endOf(point, more);
      expect(end, `killed at point ${point}: ${diedAt}`).toEqual({ ...undisturbed, diedAt: undefined });
      return diedAt;
    });
  });
  return seen;
}

/** All that must be the same however often the daemon died. */
interface End {
  readonly outcome: string | null;
  readonly tasks: readonly object[];
  readonly effects: readonly string[];
  readonly events: readonly string[];
  readonly diedAt: string | null;
}

async function endOf(point: number | null, more: readonly string[]): Promise<End> {
  const world = openWorld();
  try {
    const env: { [name: string]: string } = point === null ? {} : { SIGNALBOX_DIE_AFTER: String(point) };
    const daemon = startDaemon(world, { env });
    await daemon.ready();
    const scripts = ['left', 'right'].flatMap((name) => ['--script', scriptOf(world, name)]);
    const args = ['run', 'left', 'right', '--apart', ...scripts, '--check', 'test -e made', '--json', ...more];
    const { code, stdout, stderr } = await within(world.sb(args), pointTimeMs, `point ${point}`);
    expect(code, `point ${point}: ${stderr}`).toBe(0);
    const run = JSON.parse(stdout) as RunView;
    const record = await recordOf(world, run.id);
    const { loaded, folded } = await twoFolds(world, run.id);
    expect(loaded).toBe(folded);
    const named = /"name":"([a-zA-Z.]+)"/.exec(/^.*fault point.*$/m.exec(world.text('daemon.log'))?.[0] ?? '')?.[1];
    return {
      outcome: run.outcome,
      tasks: run.tasks.map((task) => taskEnd(world, run, task, record)),
      effects: world.text('effects').trim().split('\n').sort(),
      // In which order two agents come is theirs; what happens to each, and how often, is not.
      events: record.events
        .map(({ type }) => type)
        .filter(isOnce)
        .sort(),
      diedAt: named ?? null,
    };
  } finally {
    await world.close();
  }
}

const scriptOf = (world: World, name: string): string =>
  world.script([
    { usage: { output_tokens: 7, cost_usd: 0.25 } },
    { append: { path: world.path('effects'), text: `${name} one\n` } },
    { usage: { input_tokens: 5, cost_usd: 0.125 } },
    { write: { path: 'made', text: `by ${name}\n` } },
    { run: `echo "${name} two" >>${world.path('effects')}` },
  ]);

/** How often output and use were read is chance, and whether an agent on a busy machine needs a nudge to end. */
function isOnce(type: string): boolean {
  return type !== 'launch.read' && type !== 'usage.metered' && type !== 'launch.signalled';
}

function taskEnd(world: World, run: RunView, task: RunView['tasks'][number], record: Record): object {
  const { attempt } = task;
  const commit = attempt?.commit ?? '';
  const [launchId] = attempt?.launches ?? [];
  const startedAt = record.of('attempt.started').find(({ attemptId }) => attemptId === attempt?.id)?.at ?? 0;
  // The commit follows from the journal: its dates, its message, its one parent.
  const seconds = String(Math.floor(startedAt / 1000));
  expect(gitOf(world, task, 'show', '-s', '--format=%at %ct %P', commit)).toBe(
    `${seconds} ${seconds} ${run.repo.base}`,
  );
  expect(savedWork(world, run).get(attempt?.ref ?? '')).toBe(commit);
  return {
    name: task.name,
    outcome: task.outcome?.kind,
    attempts: task.attempts,
    launches: attempt?.launches.length,
    status: launchFile(world, launchId ?? '', 'rc'),
    // One process per launch: a second one would have said that it begins as well.
    began: launchFile(world, launchId ?? '', 'out').match(/"subtype":"init"/g)?.length,
    checks: attempt?.checks?.map(({ check, passed }) => ({ check, passed })),
    tree: gitOf(world, task, 'rev-parse', `${commit}^{tree}`),
    refs: savedWork(world, run).size,
    usage: { ...task.usage, timeMs: null },
  };
}

async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not within ${ms} ms: ${what}`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
