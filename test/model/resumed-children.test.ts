// Stories about children that were stopped with their parent and continue with it.

import { describe, expect, it } from 'vitest';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import {
  agentOf,
  attemptOf,
  atWork,
  call,
  end,
  endTurn,
  fail,
  finish,
  named,
  spawn,
  stop,
  wait,
  withChildren,
} from './children-story.ts';
import { settle, states } from './plan-story.ts';
import { type Story, task, taskId } from './story.ts';

/**
 * `a` waits for `b`, which has spawned `d`, and for `c`, which failed; `e` needs the output of `b`. All that is open is
 * stopped.
 */
function stopped(how: 'run' | 'task'): Story {
  const story = withChildren({}, task('a'));
  atWork(story, 'a');
  for (const child of ['b', 'c']) {
    spawn(story, 'a', child);
    atWork(story, child);
  }
  spawn(story, 'a', 'e', { inputs: ['b'] });
  spawn(story, 'b', 'd');
  atWork(story, 'd');
  fail(story, 'c', 'refusal', 'no');
  settle(story);
  atWork(story, 'a');
  wait(story, 'a', ['b'], 'all');
  endTurn(story, 'a', '');
  if (how === 'run') story.tell({ type: 'stopRun', by: 'ann' });
  else story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
  for (const name of ['a', 'b', 'd']) end(story, name);
  settle(story);
  expect(states(story)).toEqual({ a: 'stopped', b: 'stopped', c: 'failed', d: 'stopped', e: 'stopped' });
  return story;
}

const text = (story: Story, name: string): string => {
  const [first] = agentOf(story, name).mailbox.records;
  return first?.body.kind === 'text' ? first.body.text : (first?.body.kind ?? '');
};

function start(story: Story, name: string): void {
  story.tell({ type: 'start', taskId: named(story, name).spec.id, host: 'h' });
}

describe('children that were stopped with their parent', () => {
  it('go on with it when the run is resumed, in their sessions and on their work [CHILD-63]', () => {
    for (const how of ['run', 'task'] as const) {
      const story = stopped(how);
      const before = ['a', 'b', 'd'].map((name) => attemptOf(story, name).agentId);
      story.tell({ type: 'resumeRun', by: 'ann' });
      expect(states(story)).toEqual({ a: 'ready', b: 'ready', c: 'failed', d: 'ready', e: 'blocked' });
      expect(named(story, 'a').children.open).toBe(2);
      expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
      for (const name of ['a', 'b', 'd']) start(story, name);
      expect(['a', 'b', 'd'].map((name) => attemptOf(story, name).agentId)).toEqual(before);
      expect(attemptOf(story, 'b')).toMatchObject({
        origin: { from: 'c-b', why: 'it was stopped with others, and goes on' },
      });
      expect(text(story, 'b')).toContain('which were stopped with you, continue as well: "d".');
      expect(text(story, 'a')).toContain('You were stopped (stopped by ann) and go on now, in this conversation.');
      expect(text(story, 'a')).toContain('You waited for "b": call wait again');
      // What it waited for comes about as if nothing had been.
      for (const name of ['a', 'b', 'd']) atWork(story, name);
      wait(story, 'a', ['b', 'e'], 'all');
      endTurn(story, 'a', '');
      for (const name of ['d', 'b']) {
        finish(story, name);
        settle(story);
        if (name === 'd') atWork(story, 'b');
      }
      atWork(story, 'e');
      finish(story, 'e');
      settle(story);
      atWork(story, 'a');
      finish(story, 'a');
      expect(story.run.outcome).toBe('succeeded');
    }
  });

  it('go on when the parent is retried, by a fresh agent that is told of them [CHILD-63] [CHILD-17]', () => {
    const story = stopped('task');
    const { agentId } = attemptOf(story, 'a');
    const b = attemptOf(story, 'b').agentId;
    story.tell({ type: 'retryTask', taskId: taskId('a'), by: 'ann' });
    expect(states(story)).toMatchObject({ a: 'ready', b: 'ready', c: 'failed', d: 'ready', e: 'blocked' });
    for (const name of ['a', 'b']) start(story, name);
    expect(attemptOf(story, 'a').agentId).not.toBe(agentId);
    expect(attemptOf(story, 'b').agentId).toBe(b);
  });

  it('go on when a person sends the parent a message [CHILD-63, HAND-10]', () => {
    const story = stopped('task');
    story.tell({ type: 'send', taskId: taskId('a'), recordId: 'record_p', from: 'ann', text: 'go on' });
    expect(states(story)).toMatchObject({ a: 'ready', b: 'ready', c: 'failed', d: 'ready', e: 'blocked' });
  });

  it('start with their prompt if they have no session, and are not counted twice before they start [CHILD-63]', () => {
    const story = withChildren({}, task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    start(story, 'b');
    spawn(story, 'a', 'c');
    story.tell({ type: 'stopRun', by: 'ann' });
    story.tell({ type: 'prepared', attemptId: attemptOf(story, 'b').id, path: '/w', base: 'b0' });
    for (const name of ['a', 'b']) end(story, name);
    story.tell({ type: 'resumeRun', by: 'ann' });
    expect(states(story)).toEqual({ a: 'ready', b: 'ready', c: 'ready' });
    expect(story.run.children.agentsAsked).toBe(2);
    for (const name of ['b', 'c']) {
      start(story, name);
      expect(text(story, name)).toBe('prompt');
    }
  });
});

describe('children that ended by themselves', () => {
  it('are not brought back: their parent was told, or is now [CHILD-63, CHILD-93] [CHILD-17]', () => {
    const story = withChildren({}, task('a'));
    atWork(story, 'a');
    for (const child of ['b', 'c']) {
      spawn(story, 'a', child);
      atWork(story, child);
    }
    call(story, 'a', { tool: 'stop_task', task: 'b', reason: null });
    end(story, 'b');
    settle(story);
    story.tell({ type: 'stopRun', by: 'ann' });
    fail(story, 'c', 'refusal', 'no');
    end(story, 'a');
    story.tell({ type: 'resumeRun', by: 'ann' });
    settle(story);
    expect(states(story)).toMatchObject({ a: 'ready', b: 'stopped' });
  });

  it('are not brought back by another stop after their parent was told [CHILD-93]', () => {
    const story = withChildren({}, task('a'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    stop(story, 'b');
    settle(story);
    spawn(story, 'a', 'b2');
    atWork(story, 'b2');
    story.tell({ type: 'stopRun', by: 'ann' });
    for (const name of ['a', 'b2']) end(story, name);
    story.tell({ type: 'resumeRun', by: 'ann' });
    expect(states(story)).toEqual({ a: 'ready', b: 'stopped', b2: 'ready' });
  });
});
