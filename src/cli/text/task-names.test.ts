// Names of tasks that are made from prompts.

import { expect, it } from 'vitest';
import { namePrompts, runName } from './task-names.ts';

const names = (...prompts: string[]): string[] => namePrompts(prompts).map(({ name }) => name);

it('a task is named by the words of its prompt that say most [CLI-19]', () => {
  expect(names('write a note', 'Please fix the rounding bug in the invoice parser of the shop')).toEqual([
    'write-a-note',
    'fix-rounding-bug-invoice',
  ]);
  expect(names('Überprüfe die Größe', "don't", '日本語', 'x'.repeat(99))).toEqual([
    'uberprufe-die-grosse',
    'dont',
    'task',
    'x'.repeat(30),
  ]);
  expect(names('same', 'same', 'same')).toEqual(['same', 'same-2', 'same-3']);
  expect(names('internationalisation of authentication documentation pages everywhere')).toEqual([
    'internationalisation',
  ]);
});

it('a person names a task before a colon, and the rest is the prompt [CLI-19]', () => {
  expect(namePrompts(['parser: Fix the parser.\nAll of it.', 'fix: the rounding', 'See http://x', 'Note: hm'])).toEqual(
    [
      { name: 'parser', prompt: 'Fix the parser.\nAll of it.' },
      { name: 'fix-the-rounding', prompt: 'fix: the rounding' },
      { name: 'see-http-x', prompt: 'See http://x' },
      { name: 'note-hm', prompt: 'Note: hm' },
    ],
  );
  expect(names('a b', 'a-b: x', 'a-b: y')).toEqual(['a-b-2', 'a-b', 'a-b-3']);
});

it('a run of several prompts has a name of its own', () => {
  expect(runName(namePrompts(['one']))).toBe('one');
  expect(runName(namePrompts(['one', 'two', 'three']))).toBe('one-and-2-more');
});
