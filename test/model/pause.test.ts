// A person holds a run: nothing begins, what is under way ends at its next tool round, and a snapshot keeps it.

import { describe, expect, it } from 'vitest';
import { isWorking } from '../../src/engine/watch/resource-guard.ts';
import type { Task } from '../../src/model/core/run.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import { attempt, launch, launched, type Story, submitted, task, taskId } from './story.ts';

const pause = { type: 'pauseRun', of: 'run', by: 'ann' } as const;
const unpause = { type: 'unpauseRun', of: 'run', by: 'ann' } as const;
const say = (story: Story, name: string, fact: { kind: 'round'; requestId: string } | { kind: 'roundOver' }) => {
  const { offset } = story.run.live.get(attempt(name))?.launches.current ?? { offset: 0 };
  return story.tell({
    type: 'output',
    launchId: launch(name),
    from: offset,
    to: offset + 10,
    codec: '{}',
    facts: [fact],
    replies: [],
  });
};

const pick = (story: Story) => pickNext({ ...emptyHost(), slots: 4 }, [story.run], story.now, 'local');

describe('a paused run', () => {
  it('starts nothing, says who paused it, and starts it when it may go on [PAUSE-3]', () => {
    const story = submitted(task('a'));
    story.tell(pause);
    expect(pick(story)).toBeNull();
    expect(waitReason(story.run, story.run.tasks.get(taskId('a')) as Task, emptyHost(), story.now)).toContain(
      'ann paused this run',
    );
    const kept = readRun(writeRun(story.run));
    expect(kept.pauses.run).toEqual({ by: 'ann', at: 1_000 });
    expect(story.ask(pause)).toMatchObject({ refusal: { kind: 'stale' } });
    story.tell(unpause);
    expect(pick(story)).not.toBeNull();
    expect(story.ask(unpause)).toMatchObject({ refusal: { reason: 'the run is not paused' } });
  });

  it('an agent that asks is told not to go on; one that does not is interrupted [PAUSE-1]', () => {
    const story = submitted(task('a'), task('b'));
    launched(story, 'a');
    launched(story, 'b');
    story.tell(pause);
    const asked = say(story, 'a', { kind: 'round', requestId: 'r' });
    expect(asked).toContainEqual(expect.objectContaining({ body: { kind: 'round', requestId: 'r', goOn: false } }));
    const over = say(story, 'b', { kind: 'roundOver' });
    expect(over).toContainEqual(expect.objectContaining({ type: 'stop.asked', reason: 'parked' }));
    expect(over).toContainEqual(expect.objectContaining({ body: { kind: 'interrupt' } }));
  });

  it('is not silent, whatever its agents do not say [PAUSE-5]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const isSilent = () => [...story.run.live.values()].some((each) => isWorking(story.run, each));
    expect(isSilent()).toBe(true);
    story.tell(pause);
    expect(isSilent()).toBe(false);
  });

  it('is held with all others until those may go on [PAUSE-3]', () => {
    const story = submitted(task('a'));
    story.tell({ ...pause, of: 'host', since: 5 });
    expect(story.ask(unpause)).toMatchObject({ refusal: { reason: expect.stringContaining('has paused all agents') } });
    story.tell(pause);
    story.tell({ ...unpause, of: 'host' });
    expect(pick(story)).toBeNull();
    story.tell(unpause);
    expect(pick(story)).not.toBeNull();
  });
});
