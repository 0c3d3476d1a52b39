import { expect, it } from 'vitest';
import { createMemory } from './memoize-by-commit.ts';

it('concurrent readers of one commit share one read', async () => {
  const memory = createMemory<number>();
  let reads = 0;
  const read = async (): Promise<number> => {
    reads += 1;
    return reads;
  };
  expect(await Promise.all([memory(['a'], read), memory(['a'], read), memory(['b'], read)])).toEqual([1, 1, 2]);
  expect(await memory(['a'], read)).toBe(1);
});

it('a failed read is not remembered, and waiting readers read for themselves', async () => {
  const memory = createMemory<string>();
  const failing = memory(['a'], () => Promise.reject(new Error('stopped')));
  const waiting = memory(['a'], async () => 'read');
  await expect(failing).rejects.toThrow('stopped');
  expect(await waiting).toBe('read');
  expect(await memory(['a'], async () => 'read again')).toBe('read again');
});
