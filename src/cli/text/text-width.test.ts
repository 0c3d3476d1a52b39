import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine } from '../../std/plain-text.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['hello', 5],
    ['naïve', 5],
    ['nai\u0308ve', 5],
    ['日本語', 6],
    ['한글', 4],
    ['한', 2],
    ['ｆｕｌｌ', 8],
    ['ﾊﾝｶｸ', 4],
    ['👍', 2],
    ['👍🏽', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇳🇱', 2],
    ['☃', 1],
    ['☃️', 2],
    ['1️⃣', 2],
    ['a\u200bb', 2],
    ['«…»', 3],
    ['שלום', 4],
  ])('%j is %i columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe('a text cut to a width', () => {
  it('stays as it is if it fits', () => {
    expect(cutToWidth('日本', 4)).toBe('日本');
    expect(cutToWidth('abc', 3)).toBe('abc');
  });

  it('ends with a mark, and never in the middle of a character', () => {
    expect(cutToWidth('abcd', 3)).toBe('ab…');
    expect(cutToWidth('日本語', 4)).toBe('日…');
    expect(cutToWidth('x👩‍👩‍👧‍👦y', 3)).toBe('x…');
    expect(cutToWidth('日本', 1)).toBe('…');
    expect(cutToWidth('abc', 0)).toBe('');
  });

  it('fits, whatever its characters', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).map(plainLine);
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 40 }), (line, columns) => {
        expect(textWidth(cutToWidth(line, columns))).toBeLessThanOrEqual(columns);
        expect(textWidth(padToWidth(line, columns))).toBe(columns);
      }),
      { numRuns: 500 },
    );
  });

  it('of marks only does not become longer', () => {
    expect(cutToWidth(`a${'\u0301'.repeat(100_000)}`, 10).length).toBeLessThan(400);
  });
});
