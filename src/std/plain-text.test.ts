import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  escapedJson,
  exactText,
  fromShown,
  hiddenCharacters,
  plainLine,
  plainText,
  printedText,
  shownJson,
  visibleLine,
} from './plain-text.ts';

it('control characters are shown, never removed [SHOW-1]', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['\u001b[31mred\u001b[0m', '<U+001B>[31mred<U+001B>[0m'],
    ['echo ok\u001b]0;; touch HIDDEN\u0007', 'echo ok<U+001B>]0;; touch HIDDEN<U+0007>'],
    ['\u001bP1$r\u001b\\x', '<U+001B>P1$r<U+001B>\\x'],
    ['\u009b2Jx', '<U+009B>2Jx'],
    ['a\rb\bc\u007f', 'a<U+000D>b<U+0008>c<U+007F>'],
    ['a\u202eb\u2066c\u200bd\u00ade\u{e0041}', 'a<U+202E>b<U+2066>c<U+200B>d<U+00AD>e<U+E0041>'],
    ['a\u2028b\u3164c\ufe0f\ud800', 'a<U+2028>b<U+3164>c<U+FE0F><U+D800>'],
    ['tab\tand\nline <b>', 'tab\tand\nline <b>'],
    ['日本語 ✓ é 👩‍💻 ❤️ 1️⃣ 👍🏽', '日本語 ✓ é 👩‍💻 ❤️ 1️⃣ 👍🏽'],
  ];
  for (const [given, seen] of cases) expect(plainText(given)).toBe(seen);
});

it('unusual spaces count in what a person decides on [SHOW-2]', () => {
  expect(exactText('rm\u00a0-rf\t/\u3000\u2800 x')).toBe('rm<U+00A0>-rf\t/<U+3000><U+2800> x');
  expect(exactText('<U+001B> is not \u001b')).toBe('<U+003C>U+001B> is not <U+001B>');
  expect(plainText('10\u00a0km')).toBe('10\u00a0km');
});

const oddOnes = [
  ['\u001b', '[', ']', '\u009b', '\u0007', '\\', '\r', '\b', '\n', '\t', ' ', '\u00a0', '\u0090', '\u200b'],
  [
    '\u202e',
    '\u2066',
    '\ud800',
    '\udc00',
    '\u{e0041}',
    '<',
    'U',
    '+',
    '0',
    '0',
    '1',
    'B',
    '>',
    '👩',
    '\u200d',
    '\ufe0f',
  ],
].flat();
const odd = fc.constantFrom(...oddOnes);
const text = fc.oneof(
  fc.array(odd, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

it('what a person decides on leads back to the exact text, whatever it is [SHOW-2]', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(fromShown(exactText(given))).toBe(given);
    }),
    { numRuns: 5_000 },
  );
});

// Emoji keep their joiners; everything else of these classes is gone.
const raw = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800\u{e0041}]/u; // oxlint-disable-line no-control-regex

it('no control character is left, and nothing is removed, whatever is given [SHOW-1]', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(fromShown(plainText(given))).toBe(fromShown(given));
      expect(plainText(plainText(given))).toBe(plainText(given));
      expect(plainText(given)).not.toMatch(raw);
      expect(visibleLine(given, 30)).not.toMatch(raw);
      expect(printedText(given)).not.toMatch(raw);
      expect(exactText(given)).not.toMatch(/[\u00a0\u2003]/);
    }),
    { numRuns: 5_000 },
  );
});

it('two texts that differ are shown differently [SHOW-2]', () => {
  fc.assert(fc.property(text, text, (a, b) => a === b || exactText(a) !== exactText(b)));
});

it('JSON output escapes such characters and parses to the same value [SHOW-3]', () => {
  fc.assert(
    fc.property(text, (given) => {
      const json = shownJson({ [given]: [given] });
      expect(json).not.toMatch(raw);
      expect(JSON.parse(json)).toEqual({ [given]: [given] });
      expect(JSON.parse(escapedJson(JSON.stringify(given)))).toBe(given);
    }),
  );
});

it('hidden characters are counted', () => {
  expect([...hiddenCharacters('a\u001b[2J\u001b\u00a0<U+001B>👩‍💻')]).toEqual([
    ['<U+001B>', 2],
    ['<U+00A0>', 1],
  ]);
  expect(hiddenCharacters('npm test\nnpm run lint').size).toBe(0);
});

it("a program's colours are left out of what it printed, nothing else is [SHOW-5]", () => {
  expect(printedText('\u001b[1;32mok\u001b[0m\r\n\u001b]0;x\u0007\u001b[2J')).toBe(
    'ok\n<U+001B>]0;x<U+0007><U+001B>[2J',
  );
});

it('a line stays one line', () => {
  expect(plainLine(' a\n\tb\n')).toBe('a b');
});
