import { describe, expect, it } from 'vitest';
import { pickNext } from '../../../test/model/pick-next.ts';
import { launched, submitted, succeed, task, taskId } from '../../../test/model/story.ts';
import { waitReason } from '../../../test/wait-reason.ts';
import { emptyHost } from '../host/host.ts';

describe('slots of one harness', () => {
  const claude = (name: string) => task(name, { harness: 'claude' });

  it('do not hold up other harnesses when all are taken, in the run and on the host [HOST-5]', () => {
    for (const where of ['run', 'host'] as const) {
      const story = submitted(claude('a'), claude('b'), task('c'));
      const spec = story.run.spec;
      const host = { ...emptyHost(), slots: 9, harnessSlots: where === 'host' ? { claude: 1 } : {} };
      if (where === 'run' && spec !== null)
        story.run.spec = { ...spec, limits: { parallelMax: 9, harnessMax: { claude: 1 } } };
      expect(pickNext(host, [story.run], 0, 'h')?.command).toMatchObject({ taskId: taskId('a') });
      launched(story, 'a');
      expect(pickNext(host, [story.run], 0, 'h')?.command).toMatchObject({ taskId: taskId('c') });
      launched(story, 'c');
      expect(pickNext(host, [story.run], 0, 'h')).toBeNull();
      const b = story.run.tasks.get(taskId('b'));
      const whose = where === 'run' ? 'a slot of this run for claude' : 'a slot for claude';
      expect(b && waitReason(story.run, b, host, 0)).toContain(`${whose}: all 1 are taken (raise `);
    }
  });

  it('are reused when one is free [HOST-5]', () => {
    const story = submitted(claude('a'), claude('b'));
    const host = { ...emptyHost(), slots: 9, harnessSlots: { claude: 1 } };
    succeed(story, 'a');
    expect(pickNext(host, [story.run], 0, 'h')?.command).toMatchObject({ taskId: taskId('b') });
  });
});

describe('a host with low memory', () => {
  it('starts nothing, and says so [HOST-6]', () => {
    const story = submitted(task('a'));
    const host = { ...emptyHost(), slots: 9, scarce: 'memory: 10 MiB are free' };
    expect(pickNext(host, [story.run], 0, 'h')).toBeNull();
    const a = story.run.tasks.get(taskId('a'));
    expect(a && waitReason(story.run, a, host, 0)).toBe('memory: 10 MiB are free');
  });
});
