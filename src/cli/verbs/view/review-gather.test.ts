// The prompt of a task as a review shows it.

import { expect, it } from 'vitest';
import { askedLine } from './review-gather.ts';

it("review shows a task's own prompt, without its role's [LAND-22]", () => {
  const role = 'implementer';
  expect(askedLine({ prompt: 'Write left.md.\nOne line.', role: null })).toBe('Write left.md.');
  expect(askedLine({ prompt: 'You carry out one change.\n\n---\n\nWrite left.md.\nOne line.', role })).toBe(
    'Write left.md.',
  );
  const parts = ['You judge.\n\n---\n\n', 'Look at ', { ref: ['tasks', 'x'] }, '.\nThen say.'];
  expect(askedLine({ prompt: parts, role })).toBe('Look at ${{ tasks.x }}.');
  expect(askedLine({ prompt: 'As my parent, without its words.', role })).toBe('As my parent, without its words.');
  expect(askedLine({ prompt: 'Own.\n\n---\n\nMore of it.', role: null })).toBe('Own.');
});
