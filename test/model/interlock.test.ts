// Stories about tasks that want the same paths.

import { describe, expect, it } from 'vitest';
import { emptyHost } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import { attempt, down, integrated, outcomeOf, type Story, submitted, task, taskId, turned } from './story.ts';

const host = { ...emptyHost(), slots: 100 };
const writer = (name: string, ...writes: string[]) => task(name, { writes });

/** Starts all that may start, and returns their names. */
function start(story: Story): string[] {
  const names: string[] = [];
  for (let pick = pickNext(host, [story.run], 0, 'h'); pick !== null; pick = pickNext(host, [story.run], 0, 'h')) {
    story.tell(pick.command);
    if (pick.command.type === 'start') names.push(pick.command.taskId.replace('task_', ''));
  }
  return names;
}

function end(story: Story, name: string, inside = true): void {
  const attemptId = attempt(name);
  story.tell({ type: 'prepared', attemptId, path: '/w', base: 'b0' });
  story.tell({ type: 'launched', launchId: `launch_${name}-1-1`, process: null });
  turned(story, name);
  down(story, name, 0);
  story.tell({ type: 'saved', attemptId, ref: 'refs/x', commit: 'c' });
  if (story.run.tasks.get(taskId(name))?.spec.writes !== null) {
    const item = { check: 'write set', passed: inside, detail: inside ? 'fine' : 'it changed b.ts' };
    story.tell({ type: 'proved', attemptId, items: [item] });
  }
  if (inside) integrated(story, name);
}

const waitOf = (story: Story, name: string) => {
  const found = story.run.tasks.get(taskId(name));
  return found === undefined ? null : waitReason(story.run, found, host, 0);
};

describe('writers of the same paths', () => {
  it('do not run at once, and say which task they wait for [LOCK-1]', () => {
    const story = submitted(writer('a', 'src/**'), writer('b', 'src/api/x.ts'), writer('c', 'docs/**'));
    expect(start(story)).toEqual(['a', 'c']);
    expect(waitOf(story, 'b')).toBe('path src/** held by task "a"');
    expect(story.ask({ type: 'start', taskId: taskId('b'), host: 'h' })).toMatchObject({ kind: 'refused' });
    end(story, 'a');
    expect(start(story)).toEqual(['b']);
  });

  it('are free again however an attempt ends [LOCK-2]', () => {
    for (const finish of [
      (story: Story) => story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' }),
      (story: Story) => story.tell({ type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b' }),
    ]) {
      const story = submitted(writer('a', 'src'), writer('b', 'src'));
      start(story);
      finish(story);
      if (story.run.live.get(attempt('a'))?.state === 'preparing') {
        story.tell({ type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b' });
      }
      if (story.run.live.get(attempt('a'))?.state === 'launching') {
        story.tell({ type: 'launched', launchId: 'launch_a-1-1', process: null });
        story.tell({ type: 'down', launchId: 'launch_a-1-1', status: 1, turn: null });
      }
      story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'c' });
      expect(outcomeOf(story, 'a')?.kind).not.toBe('succeeded');
      expect(start(story)).toEqual(['b']);
    }
  });

  it('go in order: a large write-set is not overtaken for ever by small ones [LOCK-3]', () => {
    const story = submitted(writer('small', 'src/a'), writer('all', '**'), writer('other', 'src/b'), task('free'));
    expect(start(story)).toEqual(['small', 'free']);
    expect(waitOf(story, 'other')).toBe('an earlier task that wants the same paths');
    end(story, 'small');
    expect(start(story)).toEqual(['all']);
    end(story, 'all');
    expect(start(story)).toEqual(['other']);
  });

  it('are not blocked by a waiting task that is stopped [LOCK-2]', () => {
    const story = submitted(writer('small', 'src/a'), writer('all', '**'), writer('other', 'src/b'));
    start(story);
    story.tell({ type: 'stopTask', taskId: taskId('all'), by: 'ann' });
    expect(start(story)).toEqual(['other']);
  });

  it('hold up readers, and readers hold up no writer [LOCK-5]', () => {
    const story = submitted(writer('w', 'src/**'), task('r', { reads: ['src/api'] }));
    expect(start(story)).toEqual(['w']);
    end(story, 'w');
    expect(start(story)).toEqual(['r']);
    const other = submitted(task('r', { reads: ['src/api'] }), writer('w', 'src/**'));
    expect(start(other)).toEqual(['r', 'w']);
  });

  it('are still waiting after a snapshot', () => {
    const story = submitted(writer('a', 'src'), writer('b', 'src'));
    start(story);
    const copy = readRun(writeRun(story.run));
    expect(pickNext(host, [copy], 0, 'h')).toBeNull();
  });

  it('do not include a task without a write-set', () => {
    expect(start(submitted(writer('a', '**'), task('b')))).toEqual(['a', 'b']);
  });
});

describe('work outside its paths', () => {
  it('is kept and does not succeed, and the paths are named [LOCK-4]', () => {
    const story = submitted(writer('a', 'src/**'));
    start(story);
    end(story, 'a', false);
    expect(outcomeOf(story, 'a')).toEqual({
      kind: 'failed',
      failure: { reason: 'out-of-scope', detail: 'it changed b.ts' },
    });
  });

  it('is assumed before the first look', () => {
    const story = submitted(writer('a', 'src/**'), task('b'));
    start(story);
    story.tell({ type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b0' });
    story.tell({ type: 'launched', launchId: 'launch_a-1-1', process: null });
    turned(story, 'a');
    down(story, 'a', 0);
    story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'refs/x', commit: 'c' });
    story.tell({ type: 'proved', attemptId: attempt('a'), items: [] });
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'out-of-scope' } });
  });
});
