// Limits on agents spawned by agents: each refuses by its name, and is counted from the journal.

import { describe, expect, it } from 'vitest';
import { childLimitsOf, usualChildLimits } from '../../src/model/core/child-limits.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { atWork, call, fail, finish, named, spawn, withChildren } from './children-story.ts';
import { task } from './story.ts';

describe('limits on agents spawned by agents', () => {
  it('refuse by name, and are reported to a person once [CHILD-10]', () => {
    const story = withChildren({ depthMax: 2, childrenMax: 2 }, task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    const refusals = Array.from({ length: 5 }, (_, i) => spawn(story, 'b', `deep${i}`));
    expect(refusals.every(({ isError, text }) => isError && text.includes('limit depth: 2'))).toBe(true);
    expect(story.events.filter(({ type }) => type === 'limit.reached')).toHaveLength(1);
    spawn(story, 'a', 'c');
    expect(spawn(story, 'a', 'd').text).toContain('limit children: 2');
    expect(story.run.children.limitsNotified.map(({ limit }) => limit)).toEqual(['depthMax', 'childrenMax']);
    expect(readRun(writeRun(story.run)).children.limitsNotified).toEqual(story.run.children.limitsNotified);
    expect(story.run.tasks.size).toBe(3);
  });

  it('count all agents ever spawned, also those that never began, not those of the plan [CHILD-11]', () => {
    const story = withChildren({ agentsMax: 2 }, task('a'), task('p'), task('q'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    spawn(story, 'a', 'c');
    expect(spawn(story, 'a', 'd').text).toContain('limit agents-in-all: 2');
    atWork(story, 'b');
    finish(story, 'b');
    expect(spawn(story, 'a', 'd').text).toContain('limit agents-in-all: 2');
    call(story, 'a', { tool: 'stop_task', task: 'c', reason: null });
    expect(named(story, 'c')).toMatchObject({ tries: { attempts: 0 }, state: 'ended' });
    expect(spawn(story, 'a', 'd').text).toContain('limit agents-in-all: 2');
  });

  it('count a replaced agent twice, and the same after a restart [CHILD-11]', () => {
    const story = withChildren({}, task('a'));
    const counted = (): readonly number[] => [
      story.run.children.agentsAsked,
      readRun(writeRun(story.run)).children.agentsAsked,
    ];
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    spawn(story, 'a', 'c');
    expect(counted()).toEqual([2, 2]);
    call(story, 'a', { tool: 'stop_task', task: 'c', reason: null });
    expect([named(story, 'c').outcome?.kind, ...counted()]).toEqual(['stopped', 2, 2]);
    atWork(story, 'b');
    fail(story, 'b', 'crash', 'it fell');
    story.tell({ type: 'retryTask', taskId: named(story, 'b').spec.id, by: 'ann' });
    expect(counted()).toEqual([2, 2]);
    story.tell({ type: 'start', taskId: named(story, 'b').spec.id, host: 'h' });
    expect(counted()).toEqual([3, 3]);
  });

  it('are changed by a person while the run goes on, and reported again [CHILD-89]', () => {
    const story = withChildren({ agentsMax: 1 }, task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    expect(spawn(story, 'a', 'c').text).toContain('limit agents-in-all: 1');
    story.tell({ type: 'setLimits', limits: { agentsMax: 2 }, by: 'ann' });
    expect(story.run.children.limitsNotified).toEqual([]);
    expect(childLimitsOf(readRun(writeRun(story.run)))).toEqual({ ...usualChildLimits, agentsMax: 2 });
    expect(spawn(story, 'a', 'c').isError).toBe(false);
    expect(spawn(story, 'a', 'd').text).toContain('limit agents-in-all: 2');
    expect(story.run.children.limitsNotified).toMatchObject([{ limit: 'agentsMax', max: 2 }]);
    story.tell({ type: 'setLimits', limits: { depthMax: 1 }, by: 'ann' });
    expect(spawn(story, 'a', 'd').text).toContain('limit depth: 1');
    expect(story.run.children.limitsNotified.map(({ limit }) => limit)).toEqual(['agentsMax', 'depthMax']);
    const ended = withChildren({}, task('a'));
    ended.tell({ type: 'stopRun', by: 'ann' });
    const refused = ended.ask({ type: 'setLimits', limits: { depthMax: 2 }, by: 'ann' });
    expect(refused).toMatchObject({ kind: 'refused', refusal: { reason: expect.stringContaining('has ended') } });
  });

  it('count spawns of the last minute [CHILD-12]', () => {
    const story = withChildren({ spawnsPerMinute: 2 }, task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    spawn(story, 'a', 'c');
    expect(spawn(story, 'a', 'd').text).toContain('limit spawns-per-minute: 2');
    story.now += 60_000;
    expect(spawn(story, 'a', 'd').isError).toBe(false);
  });
});
