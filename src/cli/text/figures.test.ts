// How figures are shown: an unknown value must not look like a figure.

import { expect, it } from 'vitest';
import { fill } from './figures.ts';

it('context use is a percentage if the window size is known, else tokens [TTY-1]', () => {
  expect([fill(50_000, 200_000), fill(50_000, null), fill(null, 200_000), fill(0, 0)]).toEqual([
    '25%',
    '50.0k',
    '',
    '0',
  ]);
});
