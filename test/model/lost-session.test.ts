// What the next process of an agent reads first when its session is lost.

import { describe, expect, it } from 'vitest';
import { agentOf, atWork, gone, heard, send } from './children-story.ts';
import { attempt, down, launch, launched, type Story, submitted, task, taskId } from './story.ts';

const kinds = (story: Story, name: string): string[] =>
  agentOf(story, name).mailbox.records.map(({ body }) => body.kind);

const noConversation = {
  kind: 'turnEnded',
  turn: { kind: 'failed', failure: { reason: 'crash', detail: 'No conversation found' } },
} as const;

/** Its second process is to be paused for want of money, and finds no session to resume. */
function pausedWithoutSession(): Story {
  const story = submitted(task('a'), task('b'));
  atWork(story, 'a');
  atWork(story, 'b');
  gone(story, 'a', null);
  story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
  story.tell({ type: 'day', limited: true, exhausted: 'no time', timed: true });
  story.tell({ type: 'tick' });
  heard(story, 'a', [{ kind: 'sessionLost' }, noConversation]);
  gone(story, 'a', 1);
  expect(story.run.live.get(attempt('a'))).toMatchObject({
    state: 'resting',
    parking: { parked: { why: { kind: 'budget' } } },
  });
  return story;
}

function goesOn(story: Story): void {
  story.tell({ type: 'day', limited: true, exhausted: null });
  story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
}

describe('an agent whose session is lost', () => {
  it('gets its prompt before a message that came while it was parked [LAU-10]', () => {
    const story = pausedWithoutSession();
    send(story, 'b', 'a', 'hello');
    story.tell({ type: 'tick' });
    expect(kinds(story, 'a')).toEqual(['messages']);
    goesOn(story);
    expect(story.run.live.get(attempt('a'))?.launches.current?.resume).toBe(false);
    expect(kinds(story, 'a')).toEqual(['prompt', 'messages']);
  });

  it('gets its prompt once, however often its processes are lost before they read it [LAU-10]', () => {
    const story = pausedWithoutSession();
    goesOn(story);
    story.tell({ type: 'launched', launchId: launch('a', 1, 3), process: null });
    down(story, 'a', null, 1, 3);
    expect(kinds(story, 'a')).toEqual(['prompt']);
  });

  it("gets its prompt before a person's message, if its process never reported its session [LAU-10]", () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const delivered = { kind: 'delivered', recordId: 'record_a-1-1' } as const;
    const read = { launchId: launch('a'), from: 0, to: 9, codec: '{}', replies: [] };
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 10 });
    story.tell({ type: 'output', ...read, facts: [delivered] });
    story.tell({ type: 'send', recordId: 'record_p', taskId: taskId('a'), from: 'ann', text: 'Look.' });
    down(story, 'a', null);
    expect(kinds(story, 'a')).toEqual(['prompt', 'text']);
  });
});
