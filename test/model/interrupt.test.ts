// A person ends the turn of an agent: the agent parks, nothing fails, and the next message of a person continues it.

import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/model/core/run.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import { attempt, down, launch, launched, type Story, submitted, task, taskId, turned } from './story.ts';

const interrupt = { type: 'interruptTask', taskId: taskId('a'), by: 'ann' } as const;
const pick = (story: Story) => pickNext({ ...emptyHost(), slots: 4 }, [story.run], story.now, 'local');

/** Its agent reads the prompt and is in a turn. */
function inTurn(): Story {
  const story = submitted(task('a'));
  launched(story, 'a');
  story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 10 });
  return story;
}

function interrupted(): Story {
  const story = inTurn();
  story.tell(interrupt);
  turned(story, 'a', false);
  down(story, 'a', 0);
  return story;
}

describe('an interrupted agent', () => {
  it('is asked to end its turn, then parks; the task has not failed, and says that it waits for a message [STEER-1]', () => {
    const story = inTurn();
    const events = story.tell(interrupt);
    expect(events.map((event) => (event.type === 'record.queued' ? event.body.kind : event.type))).toEqual([
      'attempt.braked',
      'stop.asked',
      'interrupt',
      'end',
    ]);
    turned(story, 'a', false);
    down(story, 'a', 0);
    const parked = readRun(writeRun(story.run)).live.get(attempt('a'))?.parking.parked;
    expect(parked?.why).toEqual({ kind: 'interrupt', by: 'ann', detail: 'interrupted by ann' });
    expect(pick(story)).toBeNull();
    expect(story.run.tasks.get(taskId('a'))).toMatchObject({
      state: 'active',
      outcome: null,
      tries: { lastFailure: null },
    });
    expect(waitReason(story.run, story.run.tasks.get(taskId('a')) as Task, emptyHost(), story.now)).toMatch(
      /^a message \(signalbox send\): ann interrupted it at /,
    );
  });

  it('continues its session with the next message of a person, without a note of ours [STEER-1]', () => {
    const story = interrupted();
    story.tell({ type: 'send', recordId: 'record_p', taskId: taskId('a'), from: 'a person', text: 'rather b' });
    expect(pick(story)).toMatchObject({ command: { type: 'goOn', attemptId: attempt('a') } });
    const events = story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
    expect(events.map(({ type }) => type)).toEqual(['attempt.unparked', 'launch.intended']);
    expect(events[1]).toMatchObject({ resume: true });
  });

  it('is also kept if it ended its turn at that moment, or its process had to be killed [STEER-1]', () => {
    for (const end of [(story: Story) => turned(story, 'a'), () => undefined]) {
      const story = inTurn();
      story.tell(interrupt);
      end(story);
      down(story, 'a', 137);
      expect(story.run.live.get(attempt('a'))?.parking.parked?.why.kind).toBe('interrupt');
    }
  });

  it('can be stopped [STEER-1]', () => {
    const story = interrupted();
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(story.run.live.get(attempt('a'))?.result.verdict).toMatchObject({
      kind: 'failed',
      failure: { reason: 'stopped' },
    });
  });

  it('has to be in a turn: otherwise the order is refused with a reason [STEER-2]', () => {
    const refusal = (story: Story): string => {
      const decision = story.ask(interrupt);
      return decision.kind === 'refused' ? decision.refusal.reason : 'accepted';
    };
    expect(refusal(submitted(task('a')))).toBe('task "a" has no agent at work');
    const early = submitted(task('a'));
    launched(early, 'a');
    expect(refusal(early)).toBe('the agent of task "a" is not in a turn');
    const twice = inTurn();
    twice.tell(interrupt);
    expect(refusal(twice)).toBe('the agent of task "a" is already ending its turn');
    expect(refusal(interrupted())).toBe('the agent of task "a" is not in a turn');
  });
});
