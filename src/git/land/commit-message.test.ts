import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf, subjectMax } from './commit-message.ts';

const source = { own: [], said: '', asked: '', title: 'round-totals' };
const from = (said: string): string => messageOf({ ...source, said });

describe('the message of a commit that lands', () => {
  it.each([
    ["I've fixed the rounding of half cents in `src/total.ts`.", 'Fix the rounding of half cents in src/total.ts\n'],
    ['Done. Added a parser for dates.\n\nAll tests pass.', 'Add a parser for dates\n\nAll tests pass.\n'],
    ['## Summary\n\n- **Replaced** the cache', 'Replace the cache\n'],
    ['The total was wrong.', 'The total was wrong\n'],
    ['{"summary":"Validated the input","files":3}', 'Validate the input\n'],
  ])('is what the agent said it did: %j [HIST-3]', (said, message) => expect(from(said)).toBe(message));

  it('has a body with the reasons, wrapped, and code as it is [HIST-3]', () => {
    const why =
      'The sum was rounded before the tax was added, so that each line could lose up to half a cent, and a hundred lines half a euro.';
    const message = from(`Fixed totals.\n\n${why}\n\n- **first** thing\n\n\`\`\`\nconst x = 1;\n\`\`\`\n`);
    const [subject, , ...body] = message.split('\n');
    expect(subject).toBe('Fix totals');
    expect(body.join('\n')).toMatch(/^The sum was rounded .*\n.*\n\n- first thing\n\n {4}const x = 1;\n$/);
    expect(Math.max(...message.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
  });

  it("is the agent's own where it made one commit, without trailers that it wrote [HIST-3]", () => {
    const own = [
      'Round half cents up\n\nBanks do.\n\nCo-Authored-By: Claude <noreply@anthropic.com>\nSigned-off-by: Ann <a@b>\n',
    ];
    expect(messageOf({ ...source, own, said: 'Done.' })).toBe('Round half cents up\n\nBanks do.\n');
    const two = ['Add a test\n', 'Fix it\n'];
    expect(messageOf({ ...source, own: two, said: 'Fixed the sum.' })).toBe('Fix the sum\n\n- Add a test\n- Fix it\n');
  });

  it('falls back to what was asked, then to the name of the task [HIST-3]', () => {
    const asked = 'Fix the rounding bug. Then tell me.\nMore.';
    expect(messageOf({ ...source, said: 'It is done.', asked })).toBe('Fix the rounding bug\n');
    expect(messageOf(source)).toBe('round-totals\n');
    expect(messageOf({ ...source, title: '' })).toBe('Change files\n');
  });

  it('cuts a long subject at a clause or a word, and repeats it whole in the body [HIST-3]', () => {
    const long = 'Fixed the parser of dates that come from the old system, which wrote them without a zone.';
    const [subject, , body] = from(long).split('\n');
    expect(subject).toBe('Fix the parser of dates that come from the old system');
    expect(body).toMatch(/^Fixed the parser/);
    expect(Array.from(from('x'.repeat(200)).split('\n')[0] ?? '')).toHaveLength(subjectMax);
  });

  it('names no id and hides nothing [HIST-3]', () => {
    const said = 'Fixed task_01m7j4jd3smjfqb07q03k1avzm \u001b[31mred\u001b[0m \u202eback.';
    expect(from(said)).toBe('Fix <U+001B>[31mred<U+001B>[0m <U+202E>back\n');
  });

  it('is a subject of at most 72 characters, and lines without control characters, whatever was said [HIST-3]', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), text, text, text, (own, said, asked, title) => {
        const message = messageOf({ own, said, asked, title });
        const [subject = '', blank] = message.split('\n');
        expect(Array.from(subject).length).toBeLessThanOrEqual(subjectMax);
        expect(subject.trim()).not.toBe('');
        expect([undefined, '']).toContain(blank);
        // oxlint-disable-next-line no-control-regex -- they are what must not be there
        expect(message).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
        expect(message.endsWith('\n')).toBe(true);
      }),
    );
  });
});
