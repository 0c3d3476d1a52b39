// 10,000 file names and refs of any bytes: as git gives them, as views show them, and in JSON.

import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pathText } from '../../src/git/commands/path-text.ts';
import { exactText, fromShown, plainLine, shownJson } from '../../src/std/plain-text.ts';

// oxlint-disable-next-line no-control-regex -- that is what is looked for
const raw = /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]/u;
const name = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 80 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => Uint8Array.from(Buffer.from(text))),
  fc
    .constantFrom('-rf', '--output=x', 'a\nb', '\u001b]0;x\u0007', '..', 'refs/heads/\u202e')
    .map((text) => Buffer.from(text)),
);

it('no name controls a terminal, breaks a line or is lost, whatever its bytes are [SHOW-1] [SHOW-3]', () => {
  fc.assert(
    fc.property(name, (bytes) => {
      const path = pathText(Buffer.from(bytes).toString('latin1'));
      expect(plainLine(path)).not.toMatch(raw);
      expect(fromShown(exactText(path))).toBe(path);
      expect(shownJson({ path })).not.toMatch(raw);
      expect(JSON.parse(shownJson({ path }))).toEqual({ path });
    }),
    { numRuns: 10_000 },
  );
});

it('names of different bytes are shown differently [SHOW-2]', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      const [one, other] = [a, b].map((bytes) => exactText(pathText(Buffer.from(bytes).toString('latin1'))));
      // A name that is not UTF-8 is escaped; only a name that spells out these escapes looks like it.
      const isText = (bytes: Uint8Array): boolean => Buffer.from(Buffer.from(bytes).toString('utf8')).equals(bytes);
      expect(one === other).toBe(Buffer.from(a).equals(b) || (one === other && isText(a) !== isText(b)));
    }),
    { numRuns: 10_000 },
  );
});
