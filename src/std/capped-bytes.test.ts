import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCappedBytes } from './capped-bytes.ts';

const gap = (bytes: number) => `[${bytes}]`;

it('what fits is kept whole, of more the beginning and the end', () => {
  const kept = (limits: { headMax: number; tailMax: number }, ...chunks: string[]) => {
    const bytes = createCappedBytes(limits);
    for (const chunk of chunks) bytes.push(Buffer.from(chunk));
    return bytes.whole(gap).toString();
  };
  expect(kept({ headMax: 4, tailMax: 4 })).toBe('');
  expect(kept({ headMax: 4, tailMax: 4 }, 'abc', 'defgh')).toBe('abcdefgh');
  expect(kept({ headMax: 4, tailMax: 4 }, 'abc', 'defghi')).toBe('abcd[1]fghi');
  expect(kept({ headMax: 4, tailMax: 4 }, 'abcdefghijklmnopqrstuvwxyz')).toBe('abcd[18]wxyz');
});

it('any chunking keeps the same bytes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 12 })),
      fc.constantFrom(1, 2, 5, 7),
      fc.constantFrom(1, 3, 4),
      (chunks, headMax, tailMax) => {
        const all = Buffer.from(chunks.join(''));
        const [one, many] = [createCappedBytes({ headMax, tailMax }), createCappedBytes({ headMax, tailMax })];
        one.push(all);
        for (const chunk of chunks) many.push(Buffer.from(chunk));
        const middle = all.length - headMax - tailMax;
        const wanted =
          middle <= 0
            ? all
            : Buffer.concat([all.subarray(0, headMax), Buffer.from(gap(middle)), all.subarray(-tailMax)]);
        for (const each of [one, many]) {
          expect(each.whole(gap)).toEqual(wanted);
          expect(each.last(tailMax)).toEqual(all.subarray(-tailMax));
          if (middle <= 0) expect(each.last(headMax + tailMax)).toEqual(all);
        }
      },
    ),
  );
});
