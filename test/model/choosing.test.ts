// Choosing what starts next reads the model and changes nothing in it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseNext } from '../../src/model/dispatch/dispatch.ts';
import { emptyHost, type Host } from '../../src/model/host/host.ts';
import { type Scene, sceneOf } from '../../src/model/parking/admit.ts';
import { setAside } from '../../src/model/ready/interlock.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { attempt, down, integrated, launch, type Story, saved, submitted, task, taskId, turned } from './story.ts';
import { wholeState } from './whole-state.ts';

const host = (more: Partial<Host> = {}): Host => ({ ...emptyHost(), slots: 9, ...more });
const sceneFor = (story: Story, more: Partial<Host> = {}): Scene => sceneOf(host(more), [story.run], story.now);
const startOf = (name: string) => ({ command: { type: 'start', taskId: taskId(name) } });

describe('choosing what starts next', () => {
  it('returns the tasks that have to wait for paths or for a budget, and changes nothing [EV-5]', () => {
    const story = submitted(
      task('a', { writes: ['src/**'], priority: 2 }),
      task('b', { writes: ['src/x'], priority: 1 }),
      task('c', { writes: ['docs/**'] }),
    );
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    const scene = sceneFor(story);
    const before = wholeState(scene);
    const choice = chooseNext(scene, 'h');
    expect(wholeState(scene)).toBe(before);
    expect(choice.pick).toMatchObject(startOf('c'));
    expect(choice.aside).toMatchObject([
      { entry: { task: { spec: { name: 'b' } } }, blocker: { spec: { name: 'a' } } },
    ]);
    for (const each of choice.aside) setAside(each.run, each);
    expect([...story.run.ready.waiting.keys()]).toEqual([taskId('b')]);
    expect(chooseNext(sceneFor(story), 'h')).toMatchObject({ pick: startOf('c'), aside: [] });
  });

  it('sets a task without a budget aside until there may be one [EV-5]', () => {
    const story = submitted(task('a'));
    story.tell({ type: 'day', limited: true, exhausted: 'the day has no more', timed: false });
    const { pick, aside } = chooseNext(sceneFor(story), 'h');
    expect(pick).toBeNull();
    for (const each of aside) setAside(each.run, each);
    expect(Array.from(story.run.ready.short, ({ task: { spec } }) => spec.name)).toEqual(['a']);
    story.tell({ type: 'day', limited: true, exhausted: null, timed: false });
    expect(story.run.ready.short.size).toBe(0);
    expect(chooseNext(sceneFor(story), 'h').pick).toMatchObject(startOf('a'));
  });

  it('gives the same in any run, set aside or not, and after a restart [EV-5]', () => {
    const one = fc.record({
      priority: fc.integer({ min: 0, max: 2 }),
      writes: fc.subarray(['a/**', 'a/b', 'c/*', 'd'], { maxLength: 2 }),
      harness: fc.constantFrom('claude', 'other'),
    });
    const steps = fc.array(fc.record({ act: fc.constantFrom(...actions), at: fc.nat(), sets: fc.boolean() }));
    const limit = fc.constantFrom(null, { claude: 2 });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), steps, limit, (specs, acts, limits) => {
        const story = submitted(...specs.map((spec, i) => task(`t${i}`, spec)));
        for (const each of acts) {
          if (story.run.state !== 'running') return;
          step(story, each, limits);
        }
      }),
      { numRuns: 200 },
    );
  });
});

const actions = ['start', 'end', 'stop'] as const;

interface Step {
  readonly act: (typeof actions)[number];
  readonly at: number;
  /** What is to be set aside is. */
  readonly sets: boolean;
}

function step(story: Story, { act, at, sets }: Step, harnessSlots: Host['harnessSlots'] | null): void {
  const scene = sceneFor(story, harnessSlots === null ? {} : { harnessSlots });
  const before = wholeState(scene);
  const { pick, aside } = chooseNext(scene, 'h');
  expect(wholeState(scene)).toBe(before);
  // A task that waits for paths in a full queue is not noticed after a restart.
  const restored = sceneOf(scene.host, [readRun(writeRun(story.run))], story.now);
  if (harnessSlots === null) expect(chooseNext(restored, 'h').pick).toEqual(pick);
  if (sets) for (const each of aside) setAside(each.run, each);
  checkQueues(story);
  const live = Array.from(story.run.live.values(), ({ taskId: id }) => id);
  const open = Array.from(story.run.tasks.values()).filter(({ state }) => state !== 'ended');
  const ended = live[at % Math.max(1, live.length)];
  const stopped = open[at % Math.max(1, open.length)];
  if (act === 'start' && pick !== null) story.tell(pick.command);
  if (act === 'end' && ended !== undefined) end(story, ended.slice('task_'.length));
  if (act === 'stop' && stopped?.state === 'ready') story.tell({ type: 'stopTask', taskId: stopped.spec.id, by: 'x' });
  checkQueues(story);
}

function end(story: Story, name: string): void {
  story.tell({ type: 'prepared', attemptId: attempt(name), path: '/w', base: 'b0' });
  story.tell({ type: 'launched', launchId: launch(name), process: null });
  turned(story, name);
  down(story, name, 0);
  saved(story, name);
  if (story.run.live.get(attempt(name))?.state === 'proving') {
    story.tell({ type: 'proved', attemptId: attempt(name), items: [] });
  }
  if (story.run.integration.queue.size > 0) integrated(story, name);
}

/** Every ready task is in its queue or set aside, once, and no other is. */
function checkQueues({ run }: Story): void {
  const { queues, waiting, short } = run.ready;
  const queued = [...queues.values()].flatMap((heap) => [...heap.inOrder()]);
  const all = [...queued, ...waiting.values(), ...short].map(({ task: { spec } }) => spec.id);
  const ready = Array.from(run.tasks.values()).filter(({ state }) => state === 'ready');
  expect([...all].sort()).toEqual(ready.map(({ spec }) => spec.id).sort());
}
