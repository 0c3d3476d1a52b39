// What people are to be notified of, by what happens in a run.

import { describe, expect, it } from 'vitest';
import { emptyHost, evolveHost, type Host } from '../../src/model/host/host.ts';
import { hostEventsOf } from '../../src/model/host/host-share.ts';
import { readHost, writeHost } from '../../src/model/snapshot.ts';
import { fail, launch, launched, type Story, submitted, task } from './story.ts';

/** The host after all that has happened in the story, event by event. */
function hostOf(story: Story, host: Host = emptyHost(), from = 0): Host {
  host.slots = 9;
  for (const event of story.events.slice(from)) {
    const runs = new Map([['run_1' as const, story.run]]);
    const moment = { host, runs, now: event.at, day: '2026-01-01', ranMs: 0 };
    for (const body of hostEventsOf('run_1', [event], moment)) evolveHost(host, { at: event.at, ...body });
  }
  return host;
}

const keys = (host: Host) => [...host.notices.keys()];

describe('a notice', () => {
  it('is raised for a question, a failure and the end of the run [NOTE-4]', () => {
    const story = submitted(task('a'), task('b'));
    launched(story, 'a');
    const ask = { kind: 'permissionRequest', requestId: 'r', tool: 'Bash', input: {} } as const;
    story.tell({ type: 'output', launchId: launch('a'), from: 0, to: 9, codec: '{}', facts: [ask], replies: [] });
    fail(story, 'b');
    expect(keys(hostOf(story))).toEqual(['asks ask_a-1-1', `failed task_b ${story.now}`]);
    story.tell({ type: 'stopRun', by: 'ann' });
    story.tell({ type: 'down', launchId: launch('a'), status: 143, turn: null });
    story.tell({ type: 'saved', attemptId: 'attempt_a-1', ref: 'r', commit: 'c' });
    expect(keys(hostOf(story)).at(-1)).toBe(`ended run_1 ${story.now}`);
  });

  it('is kept until it is sent, over a snapshot too [NOTE-4]', () => {
    const story = submitted(task('b'));
    fail(story, 'b');
    const host = readHost(writeHost(hostOf(story)));
    expect(keys(host)).toEqual([`failed task_b ${story.now}`, `ended run_1 ${story.now}`]);
    evolveHost(host, { at: 0, type: 'notice.sent', key: `failed task_b ${story.now}` });
    expect(keys(host)).toEqual([`ended run_1 ${story.now}`]);
  });

  it('of a task that fails again before it was sent is a separate one [NOTE-4]', () => {
    const story = submitted(task('b', { onQuota: 'stop' }));
    fail(story, 'b');
    const first = `failed task_b ${story.now}`;
    story.now += 1_000;
    story.tell({ type: 'retryTask', taskId: 'task_b', by: 'ann' });
    story.tell({ type: 'outOfQuota', taskId: 'task_b', detail: 'used up' });
    expect(keys(hostOf(story))).toContain(first);
    expect(keys(hostOf(story))).toContain(`failed task_b ${story.now}`);
    expect(`failed task_b ${story.now}`).not.toBe(first);
  });

  it("of a day's budget is raised once for all runs, and again with another budget [NOTE-4]", () => {
    const story = submitted(task('a'));
    const host = emptyHost();
    const told = () => {
      const from = story.events.length;
      story.tell({ type: 'day', limited: true, exhausted: null });
      story.tell({ type: 'day', limited: true, exhausted: 'used up' });
      hostOf(story, host, from);
      const all = keys(host);
      for (const key of all) evolveHost(host, { at: 0, type: 'notice.sent', key });
      return all;
    };
    expect(told()).toEqual(['budget day 2026-01-01 null']);
    expect(told()).toEqual([]);
    host.dayBudget = { microUsd: 5 };
    expect(told()).toEqual(['budget day 2026-01-01 {"microUsd":5}']);
  });
});
