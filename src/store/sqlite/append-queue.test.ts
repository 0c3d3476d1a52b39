// Group commit without a database: what shares a batch, in which order, and what a failure takes with it.

import { expect, test } from 'vitest';
import type { StreamAppend } from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import { createAppendQueue, type SendBatch } from './append-queue.ts';

const parts = (stream: string): StreamAppend[] => [{ stream, expected: 0, at: 1, events: [], open: true }];
const name = (request: readonly StreamAppend[]): string => request[0]?.stream ?? '';

/** Keeps the names that each batch carried. */
function recorder(fail: (names: readonly string[]) => boolean = () => false): { sent: string[][]; send: SendBatch } {
  const sent: string[][] = [];
  return {
    sent,
    async send(requests) {
      const names = requests.map(name);
      sent.push(names);
      if (fail(names)) throw new Fault('store_failed', 'the thread ended');
      return () => ({ kind: 'appended' });
    },
  };
}

test('requests of one turn share a batch, later ones share the next', async () => {
  const { sent, send } = recorder();
  const queue = createAppendQueue(send);
  const first = queue.append(parts('a'), 1);
  const second = queue.append(parts('b'), 1);
  await first;
  await Promise.all([second, queue.append(parts('c'), 1), queue.append(parts('d'), 1)]);
  expect(sent).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('a batch keeps its limits of requests and bytes, and one request always fits', async () => {
  const { sent, send } = recorder();
  const queue = createAppendQueue(send, { requestsMax: 3, bytesMax: 100 });
  const sizes = [10, 10, 10, 10, 500, 60, 60];
  await Promise.all(sizes.map((bytes, index) => queue.append(parts(`${index}`), bytes)));
  expect(sent).toEqual([['0', '1', '2'], ['3'], ['4'], ['5'], ['6']]);
});

test('a failed batch fails only its own requests, and drain waits for all', async () => {
  const { send } = recorder((names) => names.includes('bad'));
  const queue = createAppendQueue(send, { requestsMax: 1, bytesMax: 100 });
  const ended = Promise.allSettled(['a', 'bad', 'c'].map((stream) => queue.append(parts(stream), 1)));
  await queue.drained();
  expect((await ended).map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
