// Stories about messages that will not be read: their task ended, or its work was being checked when they came.

import { describe, expect, it } from 'vitest';
import type { RunEventBody } from '../../src/model/core/events.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { standingIn } from '../../src/server/views/message-status.ts';
import { plainTask } from '../plain-task.ts';
import {
  agentOf,
  attemptOf,
  atWork,
  end,
  endStep,
  endTurn,
  finish,
  gone,
  named,
  readInput,
  send,
  spawn,
  stop,
  wait,
  withChildren,
} from './children-story.ts';
import { settle } from './plan-story.ts';
import { type Story, task } from './story.ts';

/** `a` and `b` at work; the work of `b` is being saved. */
function checked(): Story {
  const story = withChildren({}, task('a'), task('b'));
  atWork(story, 'a');
  atWork(story, 'b');
  endTurn(story, 'b');
  gone(story, 'b');
  expect(attemptOf(story, 'b').state).toBe('saving');
  return story;
}

const inbox = (story: Story, name: string) =>
  named(story, name).mailbox.inbox.map(({ id, type, text }) => ({ id, type, text }));
const types = (events: readonly RunEventBody[], ...wanted: string[]) =>
  events.map(({ type }) => type).filter((type) => wanted.includes(type));

describe('an unread message', () => {
  it('to a task whose work is being checked is reported to its sender when that ends [CHILD-24]', () => {
    const story = checked();
    expect(send(story, 'a', 'b', 'one more thing\nand its details').text).toBe(
      'Sent to "b" as message_1. Its work is being checked: it reads this only if it has to go on, and otherwise you are told.',
    );
    end(story, 'b');
    settle(story);
    expect(inbox(story, 'a')).toEqual([
      {
        id: 'message_2',
        type: 'not-delivered',
        text: 'Not delivered to "b", which ended (succeeded) before it read:\nmessage_1: one more thing',
      },
    ]);
    expect(agentOf(story, 'a').mailbox.records.map(({ body }) => body.kind)).toContain('messages');
    expect(named(story, 'b').mailbox.inbox).toEqual([]);
    const { text: _, ...message } = { id: 'message_1', to: named(story, 'b').spec.id, text: '' } as const;
    expect(standingIn(story.run).here(message as never)).toEqual({
      state: 'dead',
      why: 'the receiving task ended (succeeded) before reading it',
    });
  });

  it('is reported once, in one message for each sender and task, also after a restart [CHILD-24]', () => {
    const story = checked();
    for (let i = 1; i <= 30; i++) send(story, 'a', 'b', `number ${i}`);
    end(story, 'b');
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
    const restored = readRun(writeRun(story.run));
    expect([...restored.messages.unread.keys()]).toEqual([...story.run.messages.unread.keys()]);
    settle(story);
    expect(inbox(story, 'a')).toHaveLength(1);
    expect(inbox(story, 'a')[0]?.text).toMatch(/message_10: number 10\nand 20 more$/);
    expect(story.run.messages.unread.size).toBe(0);
    // A person has it done again: what was reported as undelivered stays so.
    story.tell({
      type: 'send',
      taskId: named(story, 'b').spec.id,
      recordId: 'record_p1',
      from: 'ann',
      text: 'again',
    });
    settle(story);
    story.tell({ type: 'start', taskId: named(story, 'b').spec.id, host: 'h' });
    atWork(story, 'b');
    finish(story, 'b');
    settle(story);
    expect(types(story.events, 'message.undelivered')).toHaveLength(1);
  });

  it('is not delivered after its sender was told, though it was on its way [CHILD-24]', () => {
    const story = withChildren({}, task('a'), task('b'));
    atWork(story, 'a');
    atWork(story, 'b');
    send(story, 'a', 'b', 'hello');
    settle(story);
    expect(agentOf(story, 'b').mailbox.records.map(({ body }) => body.kind)).toContain('messages');
    stop(story, 'b');
    end(story, 'b');
    settle(story);
    expect(types(story.events, 'message.undelivered')).toHaveLength(1);
    const { id: taskId } = named(story, 'b').spec;
    story.tell({ type: 'send', taskId, recordId: 'record_p1', from: 'ann', text: 'again' });
    settle(story);
    story.tell({ type: 'start', taskId, host: 'h' });
    expect(agentOf(story, 'b').mailbox.records.map(({ id }) => id)).toEqual(['record_p1']);
  });

  it('to a task that has to go on is delivered there, and not reported [CHILD-24]', () => {
    const checks = [{ name: 'test', argv: ['test'], timeoutMs: 1_000 }];
    const story = withChildren({}, task('a'), task('b', { checks, retry: { ...plainTask.retry, attemptsMax: 2 } }));
    atWork(story, 'a');
    atWork(story, 'b');
    endTurn(story, 'b');
    gone(story, 'b');
    endStep(story, 'b');
    expect(attemptOf(story, 'b').state).toBe('proving');
    send(story, 'a', 'b', 'look at this too');
    const { id } = attemptOf(story, 'b');
    const items = [{ check: 'test', passed: false, detail: 'no' }];
    story.tell({ type: 'proved', attemptId: id, items });
    settle(story);
    story.now += 60_000;
    settle(story);
    story.tell({ type: 'start', taskId: named(story, 'b').spec.id, host: 'h' });
    atWork(story, 'b');
    settle(story);
    readInput(story, 'b');
    expect(named(story, 'b').mailbox.read.map(({ text }) => text)).toEqual(['look at this too']);
    expect(types(story.events, 'message.undelivered')).toEqual([]);
  });

  it('wakes no ended task, and its report is not reported again [CHILD-92]', () => {
    const story = checked();
    send(story, 'a', 'b', 'hello');
    stop(story, 'a');
    end(story, 'b');
    settle(story);
    expect(named(story, 'a').mailbox.inbox).toEqual([]);
    expect(types(story.events, 'message.undelivered')).toEqual([]);
    const other = checked();
    send(other, 'a', 'b', 'hello');
    end(other, 'b');
    settle(other);
    stop(other, 'a');
    settle(other);
    expect(types(other.events, 'message.undelivered')).toHaveLength(1);
  });

  it('does not end a wait for its task: the end is reported with it [CHILD-24] [CHILD-31]', () => {
    const story = withChildren({}, task('a'));
    atWork(story, 'a');
    for (const child of ['b', 'c']) {
      spawn(story, 'a', child);
      atWork(story, child);
    }
    endTurn(story, 'b');
    gone(story, 'b');
    send(story, 'a', 'b', 'hello');
    wait(story, 'a', ['b', 'c'], 'all');
    endTurn(story, 'a', '');
    end(story, 'b');
    settle(story);
    expect(agentOf(story, 'a').mailbox.records.some(({ body }) => body.kind === 'messages')).toBe(false);
    atWork(story, 'c');
    finish(story, 'c');
    settle(story);
    const sent = agentOf(story, 'a').mailbox.records.flatMap(({ body }) =>
      body.kind === 'messages' ? body.messages : [],
    );
    expect(sent).toHaveLength(4);
  });
});

describe("a person's message to a task whose work is being checked", () => {
  it('keeps it from ending: its agent resumes its session and is told exactly that [HAND-1]', () => {
    const story = checked();
    const { id: taskId } = named(story, 'b').spec;
    story.tell({ type: 'send', taskId, recordId: 'record_p1', from: 'ann', text: 'add a test' });
    end(story, 'b');
    settle(story);
    expect(named(story, 'b')).toMatchObject({ state: 'ready', outcome: null });
    const { agentId } = attemptOf(story, 'b');
    story.tell({ type: 'start', taskId, host: 'h' });
    expect(attemptOf(story, 'b').agentId).toBe(agentId);
    expect(agentOf(story, 'b').mailbox.records.map(({ id }) => id)).toEqual(['record_p1']);
  });
});
