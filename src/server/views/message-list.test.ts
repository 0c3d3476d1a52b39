// Views of a run's messages: the status of each follows from unread mailboxes and ended tasks.

import { expect, it } from 'vitest';
import { attempt, fail, launched, type Story, submitted, task, taskId, turned } from '../../../test/model/story.ts';
import { notificationText } from '../../model/children/notification.ts';
import type { RunEvent } from '../../model/core/events.ts';
import { messageId, type RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { evolve } from '../../model/evolve.ts';
import { writeEvent } from '../../model/format.ts';
import type { Message } from '../../model/messages/message.ts';
import type { StoredEvent } from '../../ports/journal.ts';
import { must } from '../../std/assert.ts';
import { openMemoryJournal } from '../../store/memory/memory-journal.ts';
import { withSeal } from '../../store/sealed-text.ts';
import { listMessages, readMessage } from './message-list.ts';

function post(story: Story, n: number, to: string, more: Partial<Message> = {}): void {
  const message: Message = {
    id: messageId(n),
    fromName: 'ann',
    to: taskId(to),
    kind: 'message',
    trust: 'person',
    text: `\n  hello ${n}\nand more`,
    chain: [],
    hops: 1,
    at: n,
    ...more,
  };
  add(story, { type: 'message.sent', at: story.now, message });
}

function add(story: Story, event: RunEvent): void {
  story.events.push(event);
  evolve(story.run, event);
}

/** Messages with these numbers are sealed; odd ones have a good seal. */
async function sourceOf({ run, events }: Story, sealed: readonly number[] = []) {
  const journal = openMemoryJournal();
  for (const [expected, event] of events.entries()) {
    const { type, data } = writeEvent(event);
    const has = event.type === 'message.sent' && sealed.includes(event.message.at);
    const written = { type, data: has ? withSeal(data, 's') : data };
    await journal.append([{ stream: 'run_1', expected, at: event.at, events: [written], open: true }]);
  }
  return {
    engine: {
      lookRun: async <T>(id: RunId, look: (run: Run | null, _: never) => T) =>
        look(id === 'run_1' ? run : null, null as never),
    },
    // A short page is not the end.
    journal: { read: (stream: string, after: number) => journal.read(stream, after, 3) },
    envelope: ({ data }: StoredEvent) => {
      const { message, seal } = JSON.parse(data) as { message: Message; seal?: string };
      return seal !== undefined && message.at % 2 === 1 ? { sealed: data, signature: '', publicKey: '' } : null;
    },
  };
}

it('a message waits until it is read, and is dead once its task has ended [MSG-1]', async () => {
  const story = submitted(task('a'), task('b'), task('c'), task('d'));
  for (const name of ['b', 'd']) launched(story, name);
  post(story, 1, 'a');
  post(story, 2, 'b', { from: 'agent_d-1', fromName: 'd', trust: 'agent', type: 'question', data: { x: 1 } });
  post(story, 3, 'c');
  add(story, { type: 'message.taken', at: 1, attemptId: attempt('b'), messages: [messageId(2)] });
  fail(story, 'c');
  const source = await sourceOf(story);
  const { messages, earlier } = await listMessages(source, 'run_1', false);
  expect(messages.map(({ id, from, fromId, to, state, line }) => [id, from, fromId, to, state, line])).toEqual([
    ['message_1', 'ann', null, 'a', 'waiting', 'hello 1'],
    ['message_2', 'd', 'agent_d-1', 'b', 'delivered', 'hello 2'],
    ['message_3', 'ann', null, 'c', 'dead', 'hello 3'],
  ]);
  expect(earlier).toBe(0);
  expect(messages[1]).toMatchObject({ type: 'question', trust: 'agent', size: '\n  hello 2\nand more{"x":1}'.length });
  expect((await listMessages(source, 'run_1', true)).messages.map(({ id, why }) => [id, why])).toEqual([
    ['message_3', 'the receiving task ended (failed) before reading it'],
  ]);
  await expect(listMessages(source, 'run_2', false)).rejects.toThrow('there is no run run_2');
});

it('a notification is listed by how the task ended, with the reason or last words [MSG-4]', async () => {
  const story = submitted(task('a'), task('b'));
  const ended = (name: string) => must(story.run.tasks.get(taskId(name)), name);
  launched(story, 'b');
  turned(story, 'b');
  fail(story, 'a');
  for (const [at, name] of ['a', 'b'].entries()) {
    const text = notificationText(story.run, ended(name));
    post(story, at + 1, 'a', { fromName: name, kind: 'notification', trust: 'signalbox', text });
  }
  const text = '<task-notification task="x" id="y" status="succeeded">';
  post(story, 3, 'a', { text });
  const { messages } = await listMessages(await sourceOf(story), 'run_1', false);
  expect(messages.map(({ line }) => line)).toEqual(['failed: max-output: too long', 'active: done', text]);
});

it('the newest messages are listed, with how many are older [MSG-5]', async () => {
  const story = submitted(task('a'));
  for (let n = 1; n <= 1_003; n++) post(story, n, 'a');
  const { messages, earlier } = await listMessages(await sourceOf(story), 'run_1', false);
  expect([messages.length, messages[0]?.id, messages.at(-1)?.id, earlier]).toEqual([
    1_000,
    'message_4',
    'message_1003',
    3,
  ]);
});

it('a message is found by its id or number, with its seal; an unknown one is reported with similar ones [MSG-2]', async () => {
  const story = submitted(task('a'));
  for (let n = 1; n <= 3; n++) post(story, n, 'a', n === 3 ? { data: [1] } : {});
  const source = await sourceOf(story, [1, 2]);
  const found = async (word: string) => {
    const { id, seal, envelope, text, data, seq } = await readMessage(source, 'run_1', word);
    expect(seq).toBe(story.events.findIndex((event) => event.type === 'message.sent' && event.message.id === id) + 1);
    return [id, seal, envelope !== null, text, data];
  };
  expect(await found('message_1')).toEqual(['message_1', 'good', true, '\n  hello 1\nand more', null]);
  expect(await found('2')).toEqual(['message_2', 'bad', false, '\n  hello 2\nand more', null]);
  expect(await found('3')).toEqual(['message_3', 'none', false, '\n  hello 3\nand more', [1]]);
  await expect(found('message_4')).rejects.toThrow(/the run has no message "message_4"; did you mean message_/);
});
