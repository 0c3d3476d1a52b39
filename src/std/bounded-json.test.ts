import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nestingMax, parseBounded } from './bounded-json.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

it('ordinary JSON is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseBounded(text)).toEqual({ value: JSON.parse(text), isCut: false });
    }),
  );
  expect(parseBounded('["\\ud83d\\ude00"]').value).toEqual(['😀']);
  expect(() => parseBounded('{')).toThrow(SyntaxError);
});

it('JSON that is nested too deep is cut, and can be stringified again', () => {
  expect(parseBounded(nested(nestingMax))).toMatchObject({ isCut: false });
  const cut = parseBounded(`{"kept":"x","deep":${nested(100_000)}}`);
  expect(cut.isCut).toBe(true);
  expect(JSON.stringify(cut.value)).toMatch(/^\{"kept":"x","deep":\[+null\]+\}$/);
});

it('a cut keeps everything beside it, whatever texts look like', () => {
  const text = fc.stringMatching(/^[[\]{}"\\a]{0,8}$/);
  fc.assert(
    fc.property(text, text, fc.boolean(), (before, after, isDeep) => {
      const inner = isDeep ? nested(nestingMax + 3) : '1';
      const written = `{${JSON.stringify(`a${before}`)}:${inner},"filler":"${'x'.repeat(2 * nestingMax)}","b":${JSON.stringify(after)}}`;
      const { value, isCut } = parseBounded(written);
      expect(isCut).toBe(isDeep);
      expect(Object.keys(value as object)).toEqual([`a${before}`, 'filler', 'b']);
      expect((value as { b: string }).b).toBe(after);
    }),
  );
  expect(() => parseBounded('['.repeat(100_000))).toThrow(SyntaxError);
});

it('half a character is replaced, in names too', () => {
  expect(parseBounded('{"\\ud800a":["b\\uDFFF"]}').value).toEqual({ '\ufffda': ['b\ufffd'] });
});

it('a name like __proto__ is an ordinary name', () => {
  const { value } = parseBounded('{"__proto__":{"x":1},"half":"\\ud800"}');
  expect(Object.entries(value as object)).toEqual([
    ['__proto__', { x: 1 }],
    ['half', '\ufffd'],
  ]);
});
