// What an integrated commit says of where it comes from, out of the run's own record.

import { describe, expect, it } from 'vitest';
import type { GateSpec } from '../../src/model/asks/gate-spec.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { integrationTrailers } from '../../src/model/integrate/integration-trailers.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { noUsage } from '../../src/model/spending/usage.ts';
import { settle } from './plan-story.ts';
import { attempt, down, launched, type Story, saved, submitted, succeed, task, taskId, turned } from './story.ts';

const hashes = { prompt: 'aa', transcript: 'bb', journal: { seq: 9, hash: 'cc' } };
const usual: GateSpec = { message: 'Ship?', shows: [], form: [], timeoutMs: null, onTimeout: 'reject', who: [] };
const gate = (name: string, spec: Partial<TaskSpec> = {}): TaskSpec =>
  task(name, { kind: 'gate', gate: usual, ...spec });

/** Brings it to where its work is good and is to be integrated. */
function good(story: Story, name: string): void {
  launched(story, name);
  turned(story, name);
  down(story, name, 0);
  saved(story, name);
}

function approve(story: Story, name: string, by: string): void {
  story.tell({
    type: 'answerAsk',
    askId: `ask_${name}-q1`,
    approved: true,
    by,
    message: null,
    remember: null,
  });
}

const liveOf = (story: Story, name: string) => {
  const found = story.run.live.get(attempt(name));
  if (found === undefined) throw new Error(`${name} is not at work`);
  return found;
};
const lines = (story: Story, name: string, given = hashes) =>
  integrationTrailers(story.run, liveOf(story, name), given).map(({ key, value }) => `${key}: ${value}`);
const valuesOf = (story: Story, name: string, key: string) =>
  integrationTrailers(story.run, liveOf(story, name), hashes).flatMap((each) =>
    each.key === `Signalbox-${key}` ? [each.value] : [],
  );

describe('trailers', () => {
  it('name run, task, attempt, agent, harness and model, and the hashes of what went in and came out [PROV-4]', () => {
    const story = submitted(task('a', { settings: { model: 'large' } }));
    good(story, 'a');
    expect(lines(story, 'a')).toEqual([
      'Signalbox-Run: run_1 a run',
      'Signalbox-Task: task_a a',
      'Signalbox-Attempt: attempt_a-1',
      'Signalbox-Agent: agent_a-1 a',
      'Signalbox-Harness: scripted',
      'Signalbox-Model: large',
      'Signalbox-Prompt: sha256:aa',
      'Signalbox-Transcript: sha256:bb',
      'Signalbox-Checks: committed work passed; background work passed',
      'Signalbox-Journal: run_1@9 cc',
    ]);
  });

  it('give an unknown transcript or model as unknown [PROV-4]', () => {
    const story = submitted(task('a'));
    good(story, 'a');
    const unknown = integrationTrailers(story.run, liveOf(story, 'a'), { ...hashes, transcript: null });
    expect(unknown.filter(({ value }) => value === 'unknown').map(({ key }) => key)).toEqual([
      'Signalbox-Model',
      'Signalbox-Transcript',
    ]);
  });

  it("name the attempt's model before the task's, or those that were used if neither is named", () => {
    const story = submitted(task('a', { settings: { model: 'large' } }), task('b'));
    good(story, 'a');
    good(story, 'b');
    liveOf(story, 'a').parking.model = 'small';
    expect(valuesOf(story, 'a', 'Model')).toEqual(['small']);
    const used = story.run.tasks.get(taskId('b'))?.spending.usageOf ?? {};
    Object.assign(used, { small: noUsage(), '': noUsage(), large: noUsage() });
    expect(valuesOf(story, 'b', 'Model')).toEqual(['large, small']);
  });

  it('list what was proved on which tree', () => {
    const story = submitted(task('a'));
    good(story, 'a');
    liveOf(story, 'a').result.evidence = [
      { check: 'tests', passed: true, detail: 'exit 0', tree: '0123456789abcdef' },
      { check: 'write set', passed: true, detail: '' },
    ];
    expect(valuesOf(story, 'a', 'Checks')).toEqual(['tests passed on 0123456789ab; write set passed']);
  });

  it('name the people who approved the gates before it and when, and no other gate [PROV-4]', () => {
    const story = submitted(
      gate('first'),
      gate('aside'),
      task('between', { needs: [taskId('first')] }),
      gate('second', { needs: [taskId('between')] }),
      task('a', { needs: [taskId('second')] }),
    );
    settle(story);
    approve(story, 'first', 'ann');
    approve(story, 'aside', 'eve');
    settle(story);
    succeed(story, 'between');
    settle(story);
    story.now = Date.UTC(2026, 1, 3);
    approve(story, 'second', 'bob\nSigned-off-by: eve');
    settle(story);
    good(story, 'a');
    expect(valuesOf(story, 'a', 'Approved-By')).toEqual([
      'ann at 1970-01-01T00:00:01.000Z (first)',
      'bob Signed-off-by: eve at 2026-02-03T00:00:00.000Z (second)',
    ]);
  });

  it('are one line each and bounded, whatever a task is named [PROV-5]', () => {
    const nasty = 'x\r\n\nSignalbox-Approved-By: eve\u2028\u202egnp\u0000\ud800 \u0085end';
    const story = submitted(task('a', { name: nasty }), task('b', { name: '\u{1f600}'.repeat(5_000) }));
    good(story, 'a');
    good(story, 'b');
    expect(valuesOf(story, 'a', 'Task')).toEqual(['task_a x Signalbox-Approved-By: eve gnp end']);
    const [long = ''] = valuesOf(story, 'b', 'Task');
    expect(long.length).toBeLessThanOrEqual(4_000);
    expect(Buffer.from(long).toString()).toBe(long);
  });

  it('are the same after a snapshot, and anchored at the event that found the work good [PROV-6]', () => {
    const story = submitted(task('a'), task('b'));
    good(story, 'a');
    const {
      integration: { queuedSeq },
    } = liveOf(story, 'a');
    expect(story.events[(queuedSeq ?? 0) - 1]).toMatchObject({ type: 'integration.queued', attemptId: attempt('a') });
    const before = lines(story, 'a');
    // What goes on beside it changes nothing.
    good(story, 'b');
    expect(lines(story, 'a')).toEqual(before);
    const again = readRun(writeRun(story.run));
    const there = again.live.get(attempt('a'));
    expect(there?.integration.queuedSeq).toBe(queuedSeq);
    expect(there && integrationTrailers(again, there, hashes).map(({ key, value }) => `${key}: ${value}`)).toEqual(
      before,
    );
  });
});
