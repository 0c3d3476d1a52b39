import { expect, it } from 'vitest';
import { wrapLine } from './wrap-line.ts';

it('a line that fits is left as it is, and so is every line without a terminal', () => {
  expect(wrapLine('home       /a b', 20, 11)).toEqual(['home       /a b']);
  expect(wrapLine('x '.repeat(500), Number.POSITIVE_INFINITY, 2)).toHaveLength(1);
});

it('a longer one is broken at spaces, and continues under its column', () => {
  expect(wrapLine('sandbox    Agents write only to their workspace.', 30, 11)).toEqual([
    'sandbox    Agents write only',
    '           to their workspace.',
  ]);
});

it('wide characters count twice, and a word that is too wide stays whole', () => {
  expect(wrapLine('  一二三 四五六', 10, 2)).toEqual(['  一二三', '  四五六']);
  expect(wrapLine('a /srv/with/a/long/path b', 10, 2)).toEqual(['a', '  /srv/with/a/long/path', '  b']);
});

it('a column far to the right leaves half of the terminal', () => {
  expect(wrapLine('aaaa bbbb cccc', 10, 9)).toEqual(['aaaa bbbb', '     cccc']);
});
