// S15: stalls. Silence in the middle of a turn is told from work, from a process that merely stays, and ended by word,
// by TERM, by KILL, whichever it needs.

import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../src/wire/events.ts';
import type { TaskView } from '../../src/wire/views.ts';
import { openWorld, type World } from './daemon-world.ts';
import { failureOf, guardMs, killed, recordOf, rungsOf, slackMs, statusOf, taskNamed } from './limits-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: '12' });
});

afterEach(() => world.close());

const stallMs = 3_000;

/** Leaves its mark beside the last line before its silence. */
const silentFrom = (name: string): object => ({ write: { path: world.path(`silent-${name}`), text: '' } });

/** When its silence began. */
const silence = (name: string, { attempt }: TaskView, record: readonly RunEvent[]): number => {
  const marked = statSync(world.path(`silent-${name}`), { throwIfNoEntry: false });
  if (marked !== undefined) return marked.mtimeMs;
  const begun = record.find((event) => event.type === 'launch.started' && attempt?.launches.includes(event.launchId));
  return begun?.at ?? Number.NaN;
};

const result = { write: { path: 'result.txt', text: 'whole\n' } };

it('S15: each kind of silence is classified within one stall window and ended; who only stays counts by its work [CAP-2] [ATT-6] [LAU-4]', async () => {
  const read = { tool: { name: 'Read', input: { file_path: 'README.md' }, result: '# Sample' } };
  const stalled: Record<string, { steps: object[]; rungs: string[] }> = {
    'after-tool': { steps: [silentFrom('after-tool'), read, { hang: true }], rungs: ['term'] },
    'in-tool': { steps: [silentFrom('in-tool'), { hang: 'tool' }], rungs: ['term'] },
    midway: { steps: [silentFrom('midway'), { hang: 'midway' }], rungs: ['term'] },
    deaf: { steps: [{ deaf: true }, silentFrom('deaf'), { hang: true }], rungs: ['term', 'kill'] },
    'no-turn': { steps: [{ noTurn: true }], rungs: [] },
    listens: { steps: [silentFrom('listens'), { wait: 3_600_000 }], rungs: [] },
  };
  const well: Record<string, { steps: object[]; rungs: string[] }> = {
    stays: { steps: [{ linger: true }, result, { say: 'Done.' }], rungs: ['term'] },
    'stays-deaf': { steps: [{ deaf: true }, { linger: true }, result], rungs: ['term', 'kill'] },
    // Never silent for a whole window, but for longer than one in all.
    busy: {
      steps: [...Array.from({ length: 6 }, () => [{ say: 'Still at it.' }, { wait: 1_200 }]).flat(), result],
      rungs: [],
    },
  };
  const all = { ...stalled, ...well };
  const scripts = Object.values(all).flatMap(({ steps }) => ['--script', world.script(steps)]);
  const options = ['--stall', String(stallMs / 1_000), '--check', 'test "$(cat result.txt)" = whole'];
  const ended = await world.sb(['run', ...Object.keys(all), ...scripts, ...options]);
  expect(ended.code, ended.stderr).toBe(1);
  const { run } = await world.only();
  const record = await recordOf(world, run.id);
  for (const [name, { rungs }] of Object.entries(stalled)) {
    const task = taskNamed(run, name);
    expect(failureOf(task), name).toMatchObject({
      reason: 'stall',
      detail: expect.stringMatching(/^it printed nothing for \d+ s in the middle of a turn$/),
    });
    const asked = record.find((event) => event.type === 'stop.asked' && event.attemptId === task.attempt?.id);
    const silentMs = (asked?.at ?? Number.NaN) - silence(name, task, record);
    // The window counts from the guard's own look at the last line: one look later at the latest.
    expect(silentMs, name).toBeGreaterThan(stallMs - 200);
    expect(silentMs, name).toBeLessThan(stallMs + 2 * guardMs + slackMs);
    expect(rungsOf(record, task), name).toEqual(rungs);
    expect(statusOf(record, task) === killed, name).toBe(rungs.includes('kill'));
  }
  for (const [name, { rungs }] of Object.entries(well)) {
    const task = taskNamed(run, name);
    expect(task.outcome?.kind, name).toBe('succeeded');
    expect(task.attempt?.checks, name).toMatchObject([{ passed: true }]);
    expect(rungsOf(record, task), name).toEqual(rungs);
    expect(statusOf(record, task) === killed, name).toBe(rungs.includes('kill'));
  }
  expect(run.tasks.map(({ attempts }) => attempts)).toEqual(run.tasks.map(() => 1));
  expect(world.agents()).toEqual([]);
});
