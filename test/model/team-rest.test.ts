// When members of a team are dismissed, and when they are not: everything that could still give them work is searched for.

import { describe, expect, it } from 'vitest';
import { noUsage } from '../../src/model/spending/usage.ts';
import { plainTask } from '../plain-task.ts';
import { attemptOf, call, fail, gone, heard, named, spawn } from './children-story.ts';
import { pickOf } from './draw.ts';
import { settle, states } from './plan-story.ts';
import { type Story, submitted, task } from './story.ts';
import {
  add,
  begin,
  claim,
  endTurn,
  finish,
  giveBack,
  giveUpProcesses,
  inboxOf,
  led,
  ledIn,
  readInput,
  remove,
  resting,
  takeUpByMessage,
  turn,
  write,
} from './team-story.ts';

const isLetGo = (story: Story): boolean => story.events.some(({ type }) => type === 'team.dismissed');

describe('resting members', () => {
  it('stay while their lead, itself a member, could get something from its own lead [TEAM-17]', () => {
    const story = resting('ann');
    takeUpByMessage(story, 'ann');
    call(story, 'ann', { tool: 'team_create', name: 'sub', purpose: '' });
    spawn(story, 'ann', 'bob', { team: 'sub' });
    begin(story, 'bob');
    turn(story, 'bob');
    endTurn(story, 'ann');
    giveUpProcesses(story);
    expect(isLetGo(story)).toBe(false);
    endTurn(story, 'lead');
    expect(attemptOf(story, 'bob').result.verdict).toMatchObject({ kind: 'ok' });
    expect(attemptOf(story, 'ann').result.verdict).toBeNull();
    finish(story, 'bob');
    turn(story, 'ann');
    expect(attemptOf(story, 'ann').stop?.reason).toBe('finished');
  });

  it('stay while their lead has a message for its next process [TEAM-8]', () => {
    const story = resting('ann');
    spawn(story, 'lead', 'helper');
    begin(story, 'helper');
    readInput(story, 'helper');
    endTurn(story, 'lead');
    story.now += 10_000;
    settle(story);
    expect(attemptOf(story, 'lead').stop?.reason).toBe('parked');
    endTurn(story, 'helper');
    finish(story, 'helper');
    expect(isLetGo(story)).toBe(false);
    gone(story, 'lead');
    turn(story, 'lead');
    expect(isLetGo(story)).toBe(true);
  });

  it('end for tasks of a matrix that their lead waits for and whose paths they hold [TEAM-8]', () => {
    const matrix = task('all', { kind: 'matrix', items: ['x'], writes: ['src/**'] });
    const story = ledIn(submitted(task('lead'), matrix));
    spawn(story, 'lead', 'ann', { team: 'squad', writes: ['src/**'] });
    begin(story, 'ann');
    turn(story, 'ann');
    expect(call(story, 'lead', { tool: 'wait', tasks: ['all'], mode: 'all', timeoutMs: null }).isError).toBe(false);
    endTurn(story, 'lead');
    expect(attemptOf(story, 'ann').stop?.reason).toBe('finished');
  });

  it('end for a task that goes before their lead and waits for their paths [TEAM-8]', () => {
    const retry = { ...plainTask.retry, attemptsMax: 2 };
    const early = task('early', { writes: ['**/x'], priority: 1 });
    const story = ledIn(submitted(task('lead', { writes: ['docs/**'], retry }), early));
    spawn(story, 'lead', 'ann', { team: 'squad', writes: ['docs/**'] });
    begin(story, 'ann');
    turn(story, 'ann');
    fail(story, 'lead', 'crash', 'it crashed');
    settle(story);
    expect(pickOf(story)).toBeNull();
    expect(states(story)).toMatchObject({ lead: 'delayed', early: 'ready' });
    expect(isLetGo(story)).toBe(false);
    story.now += 60_000;
    settle(story);
    expect(states(story)).toMatchObject({ lead: 'ready' });
    expect(attemptOf(story, 'ann').stop?.reason).toBe('finished');
  });

  it('end with their last turn if their process is lost while it is given up [TEAM-8]', () => {
    const story = resting('ann');
    story.tell({ type: 'giveUp', attemptId: attemptOf(story, 'ann').id });
    endTurn(story, 'lead');
    gone(story, 'ann', null);
    settle(story);
    expect(attemptOf(story, 'ann')).toMatchObject({
      launches: { count: 1 },
      state: 'saving',
      result: { verdict: { kind: 'ok' } },
    });
  });

  it('are found through as many waiting tasks as a plan has [TEAM-8]', () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `t${i}`);
    const chain = names.map((name, i) => task(name, i === 0 ? {} : { needs: [`task_t${i - 1}`] }));
    const story = ledIn(submitted(task('lead'), ...chain), 'ann');
    begin(story, 'ann');
    turn(story, 'ann');
    call(story, 'lead', { tool: 'wait', tasks: ['t4999'], mode: 'all', timeoutMs: null });
    endTurn(story, 'lead');
    expect(isLetGo(story)).toBe(false);
  });
});

describe('a deleted team', () => {
  it('is not answered by a former member that a person retries [TEAM-7]', () => {
    const story = led('ann');
    story.tell({ type: 'stopTask', taskId: named(story, 'ann').spec.id, by: 'me' });
    expect(remove(story, 'lead').isError).toBe(false);
    story.tell({ type: 'retryTask', taskId: named(story, 'ann').spec.id, by: 'me' });
    begin(story, 'ann');
    readInput(story, 'ann');
    expect(write(story, 'ann', 'lead', 'shutdown-agreed').text).toBe('refused: team "squad" is over');
    expect(story.events.some(({ type }) => type === 'team.shutdownAnswered')).toBe(false);
  });
});

describe('a free item', () => {
  it('is announced to the next member when the first ends its turn for something else [TEAM-6]', () => {
    const story = resting('ann', 'bob');
    add(story, 'lead', { title: 'one' });
    readInput(story, 'ann');
    call(story, 'ann', { tool: 'ask_person', question: 'May I?', options: [] });
    expect(inboxOf(story, 'bob')).toEqual([]);
    endTurn(story, 'ann');
    expect(inboxOf(story, 'bob')).toHaveLength(1);
  });

  it('is announced to members with a budget before those without [TEAM-6]', () => {
    const story = led('bob', 'cy');
    spawn(story, 'lead', 'ann', { team: 'squad', budget: { turns: 1 } });
    begin(story, 'ann', 'bob', 'cy');
    readInput(story, 'ann');
    heard(story, 'ann', [{ kind: 'usage', model: null, usage: { ...noUsage(), turns: 1 } }]);
    endTurn(story, 'ann');
    add(story, 'lead', { title: 'one' });
    settle(story);
    // No other member rests: it is offered the item, for when it has budget again.
    expect(inboxOf(story, 'ann')).toHaveLength(1);
    turn(story, 'bob', 'cy');
    expect(['bob', 'cy'].map((name) => inboxOf(story, name).length)).toEqual([1, 0]);
  });

  it('is announced again when it is free again, but not to members that had it [TEAM-14]', () => {
    const story = resting('ann', 'bob');
    add(story, 'lead', { title: 'one' });
    turn(story, 'ann');
    readInput(story, 'bob');
    claim(story, 'bob', 1);
    giveBack(story, 'bob', 1);
    endTurn(story, 'bob');
    expect(['ann', 'bob'].map((name) => inboxOf(story, name).length)).toEqual([1, 0]);
    turn(story, 'ann');
    takeUpByMessage(story, 'bob');
    claim(story, 'bob', 1);
    call(story, 'lead', { tool: 'stop_task', task: 'bob', reason: null });
    finish(story, 'bob');
    expect(inboxOf(story, 'ann')).toHaveLength(1);
  });
});

describe('a member that was stopped with its team', () => {
  it('goes on when a person sends it a message, until its lead asks it again [TEAM-15]', () => {
    const story = resting('ann');
    remove(story, 'lead', true);
    story.now += 60_000;
    settle(story);
    finish(story, 'ann');
    expect(states(story)['ann']).toBe('stopped');
    const { id: taskId } = named(story, 'ann').spec;
    story.tell({ type: 'send', taskId, recordId: 'record_m1', from: 'me', text: 'One more thing.' });
    story.now += 60_000;
    settle(story);
    expect(named(story, 'ann')).toMatchObject({ state: 'ready', outcome: null });
    expect(remove(story, 'lead').text).toContain('- ann');
    story.now += 60_000;
    settle(story);
    expect(states(story)['ann']).toBe('stopped');
  });
});
