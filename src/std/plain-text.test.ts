import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainLine, plainText } from './plain-text.ts';

it('escape sequences are removed whole, text stays', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007after', 'after'],
    ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bP1$r\u001b\\x', 'x'],
    ['\u009b2Jx', 'x'],
    ['\u001b]52;c;never ends', ''],
    ['\u001b(0x', 'x'],
    ['a\rb\bc\u007f', 'abc'],
    ['a\u202eb\u2066c', 'abc'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['日本語 ✓ é', '日本語 ✓ é'],
  ];
  for (const [given, shown] of cases) expect(plainText(given)).toBe(shown);
});

it('no control character is left, whatever is given', () => {
  const nasty = fc.array(
    fc.constantFrom('\u001b', '[', ']', '\u009b', '\u0007', '\\', 'm', '3', ';', 'a', '\u0090', '\n'),
  );
  fc.assert(
    fc.property(nasty, (parts) => {
      // oxlint-disable-next-line no-control-regex -- that is what is looked for
      return !/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(plainText(parts.join('')));
    }),
  );
});

it('a line stays one line', () => {
  expect(plainLine(' a\n\tb\r\n')).toBe('a b');
});
