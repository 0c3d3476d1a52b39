import { expect, it } from 'vitest';
import { checkNames } from './check-names.ts';

it('checks are named after their commands, each with another name', () => {
  expect(
    checkNames(['npm test', 'npm  test', "'/usr/bin/node' --test", '!', '__x', `grep -q ${'y'.repeat(99)} "$a"`, '.']),
  ).toEqual(['npm-test', 'npm-test-2', 'node-test', 'check', 'x', `grep-q-${'y'.repeat(33)}`, 'check-2']);
});
