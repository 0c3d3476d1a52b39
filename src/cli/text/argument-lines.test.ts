import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromShown } from '../../std/plain-text.ts';
import { argumentLines, warnings } from './argument-lines.ts';

const bash = (command: string) => argumentLines({ tool: 'Bash', input: { command } });

it('a payload in a control sequence is shown, and the sequence is named [SHOW-2] [SHOW-4]', () => {
  expect(bash('echo ok\u001b]0;`touch HIDDEN`\u0007')).toEqual([
    'wants to use Bash',
    '  command: echo ok<U+001B>]0;`touch HIDDEN`<U+0007>',
    '! it holds characters that a terminal obeys or does not show: <U+001B> escape; <U+0007> bell',
  ]);
});

const corpus: Readonly<Record<string, string>> = {
  osc: 'echo ok\u001b]0;; touch X\u001b\\',
  dcs: 'echo ok\u001bP; touch X\u001b\\',
  apc: 'echo ok\u001b_; touch X\u001b\\',
  c1: 'echo ok\u009d; touch X\u009c',
  'carriage return': 'touch X\recho ok',
  backspace: 'touch X\b\b\b\b\b\b\becho ok',
  'zero width': 'touch\u200b X',
  bidi: 'echo \u202ekcah\u202c',
  tags: `echo ok${Array.from('touch X')
    .map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0)))
    .join('')}`,
  'no-break space': 'rm\u00a0x',
};

for (const [what, command] of Object.entries(corpus)) {
  it(`${what}: everything of the command is shown, and it is flagged [SHOW-2] [SHOW-4]`, () => {
    const [, shown = '', flag = ''] = bash(command);
    expect(fromShown(shown.slice('  command: '.length))).toBe(command);
    expect(shown).toMatch(/^[\x20-\x7e]*$/);
    expect(flag).toMatch(/^! it holds characters/);
  });
}

it('a long argument is whole, and said to be long [SHOW-4]', () => {
  const command = `echo ${'x'.repeat(10_000)}; touch X`;
  expect(bash(command)).toEqual([
    'wants to use Bash',
    `  command: ${command}`,
    '! it is long: 10.0k characters, all shown above',
  ]);
});

it('text behind many blanks is pointed out [SHOW-4]', () => {
  expect(bash(`echo ok${' '.repeat(200)}; touch X`).at(-1)).toBe('! more text follows after 200 blanks in a row');
  expect(bash(`echo ok${'\n'.repeat(90)}touch X`).at(-1)).toBe('! more text follows after 90 blanks in a row');
});

it('an ordinary command has no warning [SHOW-4]', () => {
  const input = { command: 'npm test\n\tnpm run lint -- "é ✓ 👩‍💻"', timeout: 5, nested: { list: ['a'] } };
  expect(warnings({ tool: 'Bash', input })).toEqual([]);
});

it('names and nested values hide nothing either [SHOW-2] [SHOW-4]', () => {
  const lines = argumentLines({ tool: 'B\nash', input: { 'a\n  b': 'x', deep: [{ '\u202e': '\u009b' }] } });
  expect(lines.slice(0, 3)).toEqual([
    'wants to use B<U+000A>ash',
    '  a<U+000A>  b: x',
    '  deep: [{"\\u202e":"\\u009b"}]',
  ]);
  expect(lines[3]).toContain('<U+202E> right-to-left override; <U+009B> control sequence');
});

it('the lines lead back to the exact arguments, whatever they are [SHOW-2]', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 4 }), (pairs) => {
      // Whole numbers as names would change their order.
      const input = Object.fromEntries(pairs.map(([name, value], i) => [`${i}.${name.replaceAll(': ', '')}`, value]));
      const lines = argumentLines({ tool: 'T', input }).slice(1);
      const shown = lines.slice(0, lines.length - warnings({ tool: 'T', input }).length);
      const back: [string, string][] = [];
      for (const line of shown) {
        const last = back.at(-1);
        if (line.startsWith('    ') && last !== undefined) last[1] += `\n${fromShown(line.slice(4))}`;
        else {
          const at = line.indexOf(': ');
          back.push([fromShown(line.slice(2, at)), fromShown(line.slice(at + 2))]);
        }
      }
      expect(Object.fromEntries(back)).toEqual(input);
    }),
    { numRuns: 3_000 },
  );
});
