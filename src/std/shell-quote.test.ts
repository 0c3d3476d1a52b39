import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellQuote } from './shell-quote.ts';

it('a shell takes any words as they are', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('', "'", `it's "$x" \`y\``, '~', '*', '$(id)', 'a\nb', '-n', '!', '#'),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const given = words.filter((each) => !each.includes('\0'));
      const script = `printf '%s\\0' ${[...given, 'end'].map(shellQuote).join(' ')}`;
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')).toEqual([...given, 'end', '']);
    }),
    { numRuns: 40 },
  );
});

it('plain words stay plain, and a zero byte is refused', () => {
  expect(['main', 'a/b.ts', "it's"].map(shellQuote)).toEqual(['main', 'a/b.ts', String.raw`'it'\''s'`]);
  expect(() => shellQuote('a\0b')).toThrow('zero byte');
});
