// What a run knows of its host when it decides is in its own record.

import { describe, expect, it } from 'vitest';
import { emptyHost, type Host } from '../../src/model/host/host.ts';
import { factsBefore } from '../../src/model/host/host-facts.ts';
import { attempt, launch, launched, submitted, task, taskId } from './story.ts';

const line = { limit: 'rate', since: 0, until: 9_000, strikes: 1, cap: null, probe: null, goal: 1 } as const;

describe('a run learns facts of the host before it decides', () => {
  it('that its service is closed where a process would follow, once, and when it is open again [EV-6]', () => {
    const story = submitted(task('a'));
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    const { harness } = task('a');
    const closed: Host = { ...emptyHost(), lines: { [harness]: line } };
    const shared = { host: closed, runs: new Map([['run_1', story.run]]) };
    const prepared = { type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b0' } as const;
    const [fact, ...more] = factsBefore(shared, story.run, prepared, story.now);
    expect(more).toEqual([]);
    expect(fact).toMatchObject({ type: 'lineSeen', attemptId: attempt('a') });
    if (fact !== undefined) story.tell(fact);
    expect(factsBefore(shared, story.run, prepared, story.now)).toEqual([]);
    expect(factsBefore({ ...shared, host: emptyHost() }, story.run, prepared, story.now)).toEqual([
      { type: 'lineSeen', attemptId: attempt('a'), closed: null },
    ]);
    expect(story.tell(prepared)).toMatchObject([{ type: 'workspace.ready' }, { type: 'attempt.parked' }]);
  });

  it('that the day has no more, with what its agent has just told [EV-6]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const host: Host = { ...emptyHost(), dayBudget: { tokens: 10 } };
    const shared = { host, runs: new Map([['run_1', story.run]]) };
    const usage = {
      inputTokens: 20,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      costMicroUsd: null,
      turns: 1,
    };
    const output = {
      type: 'output',
      launchId: launch('a'),
      from: 0,
      to: 10,
      codec: '{}',
      replies: [],
      facts: [
        { kind: 'metered', parts: [{ model: 'm', usage }] },
        { kind: 'round', requestId: 'r' },
      ],
    } as const;
    const told = factsBefore(shared, story.run, output, story.now);
    expect(told).toMatchObject([{ type: 'day', limited: true, exhausted: expect.stringContaining('the day') }]);
    for (const fact of told) story.tell(fact);
    expect(story.tell(output)).toContainEqual(expect.objectContaining({ type: 'attempt.braked' }));
  });
});
