import { expect, it } from 'vitest';
import { textPart } from './characters.ts';

const bang = '\u{1f9e8}';

it('parts of a text add up to the text, and none cuts a character', () => {
  const text = `a${bang.repeat(7)}b`;
  for (const max of [2, 3, 4, 5, 100]) {
    let [whole, from, more] = ['', 0, true];
    while (more) {
      const part = textPart(text, from, max);
      expect(part.text).not.toMatch(/\p{Surrogate}/u);
      [whole, from, more] = [whole + part.text, part.end, part.more];
    }
    expect(whole).toBe(text);
  }
});

it('half a character in the text itself is passed, and reading ends at the end', () => {
  expect(textPart('\ud83e\ud83e', 0, 1)).toEqual({ text: '\ud83e', end: 1, more: true });
  expect(textPart('abc', 5, 10)).toEqual({ text: '', end: 5, more: false });
});
