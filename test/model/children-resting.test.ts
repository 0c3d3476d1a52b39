// Agents that spawn agents, write to each other and rest: on the model alone.

import { describe, expect, it } from 'vitest';
import { orderOf } from '../../src/engine/effects/record-text.ts';
import { childId, type RecordId } from '../../src/model/core/ids.ts';
import { agentOf, taskOf } from '../../src/model/core/lookup.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import { atWork, call, fail as gaveUp, heard, named, send, spawn, wait } from './children-story.ts';
import { pickOf } from './draw.ts';
import { states } from './plan-story.ts';
import { attempt, down, fail, launch, launched, type Story, submitted, task, taskId, turned } from './story.ts';

const heardOf = (story: Story, name: string, recordId: RecordId) =>
  heard(story, name, [{ kind: 'delivered', recordId }]);

const lastOf = (story: Story, name: string) => story.run.live.get(attempt(name));

describe('a resting agent', () => {
  it('holds no claimed paths, so that its children can have them', () => {
    const story = submitted(task('a'));
    atWork(story, 'a');
    call(story, 'a', { tool: 'claim_paths', paths: ['src/**'] });
    spawn(story, 'a', 'child', { writes: ['src/a'] });
    expect(pickOf(story)).toBeNull();
    turned(story, 'a');
    expect(lastOf(story, 'a')?.claims).toEqual([]);
    expect(pickOf(story)).toMatchObject({ type: 'start', taskId: childId(taskId('a'), 1) });
  });

  it('gets in its next process what came while the last one was ending', () => {
    const story = submitted(task('a'), task('b'));
    atWork(story, 'a');
    atWork(story, 'b');
    spawn(story, 'a', 'child');
    turned(story, 'a');
    story.tell({ type: 'giveUp', attemptId: attempt('a') });
    send(story, 'b', 'a', 'hello');
    story.tell({ type: 'send', recordId: 'record_p', taskId: taskId('a'), from: 'ann', text: 'Look.' });
    const end = agentOf(story.run, 'agent_a-1').mailbox.records.find(({ body }) => body.kind === 'end');
    for (const { id } of [...agentOf(story.run, 'agent_a-1').mailbox.records].filter(
      ({ body }) => body.kind === 'toolAnswer',
    ))
      story.tell({ type: 'written', recordId: id, launchId: launch('a'), end: 400 });
    story.tell({ type: 'written', recordId: end?.id ?? 'record_', launchId: launch('a'), end: 500 });
    expect(story.pending().effects.filter(({ key }) => key.startsWith('write launch_a'))).toEqual([]);
    down(story, 'a', 0);
    expect(story.events.at(-1)).toMatchObject({ type: 'attempt.parked', why: { kind: 'waits' } });
    expect(pickOf(story)).toMatchObject({ type: 'goOn', attemptId: attempt('a') });
  });

  it('whose process was told to end goes on if it was sent something', () => {
    const story = submitted(task('a'), task('b'));
    atWork(story, 'a');
    atWork(story, 'b');
    turned(story, 'a');
    expect(lastOf(story, 'a')?.stop?.reason).toBe('finished');
    send(story, 'b', 'a', 'hello');
    story.tell({ type: 'tick' });
    down(story, 'a', 0);
    expect(story.events.at(-1)).toMatchObject({ type: 'attempt.parked', why: { kind: 'waits' } });
    story.tell({ type: 'tick' });
    expect(story.events.at(-1)).toMatchObject({ type: 'record.queued', body: { kind: 'messages' } });
  });

  it('does not succeed before its child that a person retried', () => {
    const story = submitted(task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'child');
    const child = childId(taskId('a'), 1);
    story.tell({ type: 'stopTask', taskId: child, by: 'ann' });
    story.tell({ type: 'tick' });
    story.tell({ type: 'tick' });
    const messages = agentOf(story.run, 'agent_a-1').mailbox.records.find(({ body }) => body.kind === 'messages');
    heardOf(story, 'a', messages?.id ?? 'record_');
    turned(story, 'a');
    expect(lastOf(story, 'a')?.stop?.reason).toBe('finished');
    story.tell({ type: 'retryTask', taskId: child, by: 'ann' });
    down(story, 'a', 0);
    expect(story.events.at(-1)).toMatchObject({ type: 'attempt.parked', why: { kind: 'waits' } });
  });
});

describe('the clock', () => {
  it('parks an agent for its budget or because it rests, not for both', () => {
    const story = submitted(task('a', { budget: { timeMs: 20_000 } }));
    atWork(story, 'a');
    spawn(story, 'a', 'child');
    turned(story, 'a');
    story.now += 60_000;
    for (let i = 0; i < 5; i++) story.tell({ type: 'tick' });
    expect(story.events.filter(({ type }) => type === 'attempt.braked')).toHaveLength(1);
  });
});

describe('messages', () => {
  it('are written again in the same words if they were read first', () => {
    const story = submitted(task('a'), task('b'));
    atWork(story, 'a');
    atWork(story, 'b');
    send(story, 'b', 'a', 'hello');
    story.tell({ type: 'tick' });
    const { run } = story;
    const message = agentOf(run, 'agent_a-1').mailbox.records.find(({ body }) => body.kind === 'messages');
    const [a, live] = [taskOf(run, taskId('a')), lastOf(story, 'a')];
    if (message === undefined || live === undefined) throw new Error('it is on its way');
    const text = (): string => JSON.stringify(orderOf(run, a, live, message.id, 'inputs'));
    const before = text();
    expect(before).toContain('hello');
    heardOf(story, 'a', message.id);
    expect(text()).toBe(before);
  });
});

describe('a wait whose turn ends together with a message', () => {
  it('is over, as if the message had come first: no agent rests for nothing [CHILD-30]', () => {
    const story = submitted(task('a'));
    atWork(story, 'a');
    wait(story, 'a', [], 'any', 20_000);
    story.tell({ type: 'send', recordId: 'record_p', taskId: taskId('a'), from: 'ann', text: 'Look.' });
    wait(story, 'a', [], 'any', 20_000);
    heard(story, 'a', [
      { kind: 'delivered', recordId: 'record_p' },
      { kind: 'turnEnded', turn: { kind: 'ok', text: '', cut: false } },
    ]);
    expect(lastOf(story, 'a')).toMatchObject({ waits: null, stop: { reason: 'finished' } });
  });
});

describe('a prompt', () => {
  /** As it is written to the process that is to take it up. */
  const written = (story: Story, n: number): string => {
    const [a, live] = [taskOf(story.run, taskId('a')), lastOf(story, 'a')];
    if (live === undefined) throw new Error('it is at work');
    return JSON.stringify(orderOf(story.run, a, live, `record_a-1-${n}`, 'inputs'));
  };

  it('that was read before it was noted as written stays the same, whatever the agent has done since', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const before = written(story, 1);
    heard(story, 'a', [{ kind: 'delivered', recordId: 'record_a-1-1' }]);
    spawn(story, 'a', 'helper-1');
    expect(written(story, 1)).toBe(before);
  });

  it('after a lost session names the children, and stays the same whatever becomes of them', () => {
    const story = submitted(task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'helper-1');
    down(story, 'a', null);
    story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
    heard(story, 'a', [{ kind: 'sessionLost' }]);
    down(story, 'a', 1, 1, 2);
    story.tell({ type: 'launched', launchId: launch('a', 1, 3), process: null });
    const prompt = agentOf(story.run, 'agent_a-1').mailbox.records.find(({ body }) => body.kind === 'prompt');
    const n = Number(prompt?.id.split('-').at(-1));
    const before = written(story, n);
    expect(before).toContain('helper-1');
    story.tell({ type: 'stopTask', taskId: childId(taskId('a'), 1), by: 'ann' });
    expect(written(story, n)).toBe(before);
  });
});

describe('a wait for oneself', () => {
  it('is refused through a task that would find its paths held once it is ready', () => {
    const story = submitted(
      task('a'),
      task('c', { writes: ['src/**'] }),
      task('d'),
      task('b', { writes: ['src/x'], needs: [taskId('d')] }),
    );
    atWork(story, 'a');
    atWork(story, 'c');
    expect(wait(story, 'a', ['b']).text).toContain('Parked');
    expect(wait(story, 'c', ['a']).text).toBe('refused: you would wait for yourself: c → a → b → c');
  });

  it("is refused through each of several holders of a task's paths", () => {
    const story = submitted(
      task('a', { writes: ['docs/**'] }),
      task('b', { writes: ['src/**'] }),
      task('c', { writes: ['docs/x', 'src/x'] }),
    );
    atWork(story, 'a');
    atWork(story, 'b');
    expect(wait(story, 'b', ['c']).text).toBe('refused: you would wait for yourself: b → c → b');
  });

  it('is refused for a child that could not start before its parent has ended', () => {
    const story = submitted(task('a', { writes: ['src/**'] }), task('c'));
    atWork(story, 'a');
    atWork(story, 'c');
    expect(wait(story, 'a', ['c']).text).toContain('Parked');
    expect(spawn(story, 'c', 'child', { writes: ['src/x'] }).text).toContain('which cannot end before you: c → a → c');
    expect(spawn(story, 'c', 'child', { writes: ['docs/x'] }).text).toContain('is on its way');
  });

  it('does not arise from queueing behind a task that waits for the parent', () => {
    const story = submitted(task('a', { writes: ['src/**'] }), task('b', { writes: ['src/**'] }));
    atWork(story, 'a');
    expect(pickOf(story)).toBeNull();
    spawn(story, 'a', 'child');
    expect(pickOf(story)).toMatchObject({ type: 'start', taskId: childId(taskId('a'), 1) });
  });

  it('does not arise from a failed input: it is refused', () => {
    const story = submitted(
      task('a', { onFailure: 'skip' }),
      task('b', { needs: [taskId('a')], tolerates: [taskId('a')] }),
    );
    fail(story, 'a');
    atWork(story, 'b');
    expect(spawn(story, 'b', 'child', { inputs: ['a'] }).text).toContain('"a" has ended (failed) and gives nothing');
  });
});

it('a retried agent is told its children and their states: failed work is repeated only if it spawns it again [CHILD-17]', () => {
  const story = submitted(task('a', { retry: { attemptsMax: 2, conflictsMax: 0, delayMs: 0, delayMaxMs: 0 } }));
  atWork(story, 'a');
  spawn(story, 'a', 'b');
  gaveUp(story, 'a', 'max-output', 'x');
  expect(states(story)).toMatchObject({ a: 'delayed', b: 'ready' });
  const prompt = () => promptText(story.run, named(story, 'a'), { again: false, inputs: '/i' });
  expect(prompt()).toContain('\n- b: ready');
  atWork(story, 'b');
  gaveUp(story, 'b', 'max-output', 'y');
  expect(prompt()).toContain('\n- b: failed');
  expect(prompt()).toContain('what was stopped or failed nobody does again unless you ask for it, under another name');
});
