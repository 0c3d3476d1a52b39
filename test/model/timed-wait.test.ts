// Stories about waits with a time limit that end when no slot is free, and about what does not end a question to a person.

import { describe, expect, it } from 'vitest';
import { lastAskAbout } from '../../src/model/asks/find-asks.ts';
import type { AttemptId } from '../../src/model/core/ids.ts';
import type { RunLimits } from '../../src/model/core/spec.ts';
import { emptyHost, type Host } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import {
  agentOf,
  attemptOf,
  atWork,
  call,
  endTurn,
  finish,
  gone,
  named,
  send,
  spawn,
  wait,
  withChildren,
} from './children-story.ts';
import { pickNext } from './pick-next.ts';
import { settle } from './plan-story.ts';
import { createStory, type Story, task } from './story.ts';

/** `a` has spawned `b` and `c`, which are at work, and is parked: it waits for them, for a minute at most. */
function parkedFor(ms: number | null, limits: Partial<RunLimits> = {}): Story {
  const story = createStory();
  const run = { id: 'run_1', name: 'a run', repo: { path: '/repo', base: 'b0' }, integrates: true } as const;
  story.tell({ type: 'submit', run: { ...run, limits: { parallelMax: 100, ...limits } }, tasks: [task('a')] });
  atWork(story, 'a');
  for (const child of ['b', 'c']) spawn(story, 'a', child);
  wait(story, 'a', [], 'all', ms);
  endTurn(story, 'a', '');
  for (const child of ['b', 'c']) atWork(story, child);
  story.tell({ type: 'giveUp', attemptId: attemptOf(story, 'a').id });
  gone(story, 'a');
  expect(attemptOf(story, 'a').parking.parked).not.toBeNull();
  return story;
}

/** With so many slots; all attempts that are not parked hold one, and so do `others`. */
function hostOf(story: Story, slots: number, others = 0): Host {
  const held = new Map<AttemptId, 'run_1'>();
  for (const {
    id,
    parking: { parked },
  } of story.run.live.values())
    if (parked === null) held.set(id, 'run_1');
  for (let i = 0; i < others; i++) held.set(`attempt_x${i}-1`, 'run_1');
  return { ...emptyHost(), slots, held };
}

const next = (story: Story, host: Host) => pickNext(host, [story.run], story.now, 'h')?.command ?? null;
const goOn = (story: Story) => ({ type: 'goOn', attemptId: attemptOf(story, 'a').id });

describe('a wait with a time limit', () => {
  it('ends at that time also if no slot of the host, the run or the harness is free [CHILD-31] [HOST-7]', () => {
    const full: [Partial<RunLimits>, number][] = [
      [{}, 2],
      [{ parallelMax: 2 }, 100],
      [{ harnessMax: { scripted: 2 } }, 100],
    ];
    for (const [limits, slots] of full) {
      const story = parkedFor(60_000, limits);
      story.now += 59_999;
      settle(story);
      expect(next(story, hostOf(story, slots))).toBeNull();
      expect(story.pending().wakeAt).toBe(story.now + 1);
      story.now += 1;
      settle(story);
      expect(next(story, hostOf(story, slots))).toMatchObject(goOn(story));
      const copy = readRun(writeRun(story.run));
      expect(pickNext(hostOf(story, slots), [copy], story.now, 'h')?.command).toMatchObject(goOn(story));
      story.tell({ type: 'goOn', attemptId: attemptOf(story, 'a').id, host: 'h' });
      expect(next(story, hostOf(story, slots))).toBeNull();
    }
  });

  it('ends also if the harness has no free slot on the host [HOST-7]', () => {
    const story = parkedFor(60_000);
    story.now += 60_000;
    settle(story);
    expect(next(story, { ...hostOf(story, 100), harnessSlots: { scripted: 2 } })).toMatchObject(goOn(story));
  });

  it('goes on by then at the latest if something else ended it before [CHILD-31]', () => {
    const story = parkedFor(60_000);
    send(story, 'b', 'a', 'a question');
    settle(story);
    expect(agentOf(story, 'a').mailbox.records.some(({ body }) => body.kind === 'messages')).toBe(true);
    expect(next(story, hostOf(story, 2))).toBeNull();
    expect(story.pending().wakeAt).toBe(story.now + 60_000);
    story.now += 60_000;
    expect(next(story, hostOf(story, 2))).toMatchObject(goOn(story));
  });

  it('takes at most as many slots again as there are, and none while memory is low [HOST-6] [HOST-8]', () => {
    const story = parkedFor(60_000);
    story.now += 60_000;
    settle(story);
    expect(next(story, hostOf(story, 2, 1))).toMatchObject(goOn(story));
    expect(next(story, hostOf(story, 2, 2))).toBeNull();
    expect(next(story, { ...hostOf(story, 2), scarce: 'memory: 1 MiB are free' })).toBeNull();
  });

  it('has no priority without a limit: it needs a free slot, as a new task does [CHILD-34]', () => {
    const story = parkedFor(null);
    send(story, 'b', 'a', 'a question');
    story.now += 3_600_000;
    settle(story);
    expect(next(story, hostOf(story, 2))).toBeNull();
    expect(next(story, hostOf(story, 3))).toMatchObject(goOn(story));
  });
});

describe('a question to a person', () => {
  it('stays open when a child has ended: both are reported with the answer [CHILD-46]', () => {
    const story = withChildren({}, task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    call(story, 'a', { tool: 'ask_person', question: 'Which?', options: [] });
    endTurn(story, 'a', '');
    finish(story, 'b');
    settle(story);
    const messages = () =>
      agentOf(story, 'a').mailbox.records.flatMap(({ body }) => (body.kind === 'messages' ? body.messages : []));
    expect(named(story, 'a').mailbox.inbox).toHaveLength(1);
    expect(messages()).toEqual([]);
    const askId = lastAskAbout(story.run, named(story, 'a').spec.id)?.id ?? 'ask_';
    const by = { by: 'ann', remember: null, approved: true };
    story.tell({ type: 'answerAsk', askId, ...by, message: 'the left one', values: {} });
    settle(story);
    expect(messages()).toHaveLength(2);
  });
});
