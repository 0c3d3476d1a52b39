import { describe, expect, it } from 'vitest';
import { nthOf, parseCondition, parseText, parseWholePath, pathText } from './expression.ts';

const value = <T>(parsed: { ok: true; value: T } | { ok: false }): T | null => (parsed.ok ? parsed.value : null);

describe('texts', () => {
  it('are literal, with references between ${{ and }} [PLAN-2]', () => {
    expect(value(parseText('no reference, $x {{y}}'))).toBe('no reference, $x {{y}}');
    expect(value(parseText('Fix ${{ tasks.find.output.bugs[0].title }} now'))).toEqual([
      'Fix ',
      { ref: ['tasks', 'find', 'output', 'bugs', '0', 'title'] },
      ' now',
    ]);
    expect(value(parseText('${{matrix}}'))).toEqual([{ ref: ['matrix'] }]);
    expect(value(parseText("${{ matrix['a b'].c-d }}${{run.id}}"))).toEqual([
      { ref: ['matrix', 'a b', 'c-d'] },
      { ref: ['run', 'id'] },
    ]);
  });

  it('contain ${{ itself as $${{ [PLAN-2]', () => {
    expect(value(parseText('write $${{ x }} and ${{ matrix }}'))).toEqual(['write ${{ x }} and ', { ref: ['matrix'] }]);
    expect(value(parseText('$${{ x }}'))).toBe('${{ x }}');
  });

  it.each([
    ['a ${{ tasks.a', '"${{" has no "}}"', 0],
    ['${{ a.b }} ${{ }}', 'there is nothing between', 1],
    ['${{ a == b }}', 'is not a path', 0],
    ['$${{ ${{ a + b }}', '"+" is not known here', 1],
    ["${{ 'x }}", 'a text is not closed', 0],
  ])('%s is refused with the wrong reference', (text, message, nth) => {
    const parsed = parseText(text);
    expect(parsed).toMatchObject({ ok: false, nth });
    expect(parsed.ok ? '' : parsed.flaw.message).toContain(message);
  });

  it('know the position of each reference', () => {
    const text = value(parseText('$${{ a ${{ matrix }} $${{ ${{ run.id }}')) ?? '';
    expect([nthOf(text, 1), nthOf(text, 3)]).toEqual([1, 3]);
  });

  it('print a path as it is read', () => {
    const path = ['tasks', 'find', 'output', 'a b', "it's", '0'];
    expect(parseWholePath(`\${{ ${pathText(path)} }}`)).toEqual({ ok: true, value: { ref: path } });
    expect(parseWholePath('a ${{ matrix }}')).toBeNull();
    expect(parseWholePath('${{ matrix }} ${{ matrix }}')).toBeNull();
  });
});

describe('conditions', () => {
  const a = { op: 'ref', ref: ['a'] };
  const text = (said: string) => ({ op: 'value', value: said });

  it('bind && before ||, comparisons before both, and parentheses first [PLAN-32]', () => {
    expect(value(parseCondition("a || a && a == 'x'"))).toEqual({
      op: '||',
      left: a,
      right: { op: '&&', left: a, right: { op: '==', left: a, right: text('x') } },
    });
    expect(value(parseCondition('${{ (a || a) != "x" }}'))).toEqual({
      op: '!=',
      left: { op: '||', left: a, right: a },
      right: text('x'),
    });
  });

  it('have texts, numbers, true, false and null as literals', () => {
    const literals = ["'it''s'", '"x"', '-1.5', 'true', 'false', 'null'];
    expect(literals.map((each) => value(parseCondition(each)))).toEqual(
      ["it's", 'x', -1.5, true, false, null].map((each) => ({ op: 'value', value: each })),
    );
  });

  it.each([
    ['', 'is empty'],
    ['a ==', 'ends too early'],
    ['a b', 'side by side'],
    ['(a', 'a parenthesis without its other half'],
    ['!a', '"!" is not known'],
    ['a = b', '"=" is not known'],
    ['a < 1', '"<" is not known'],
    ["contains(a, 'x')", '"," is not known'],
    ['${{ a }} == ${{ b }}', 'one expression'],
  ])('%s is refused', (given, message) => {
    const parsed = parseCondition(given);
    expect(parsed.ok ? '' : parsed.flaw.message).toContain(message);
  });

  it('an expression has a limit', () => {
    expect(parseCondition('a ||'.repeat(2_000))).toMatchObject({
      flaw: { message: 'an expression has at most 4000 characters' },
    });
  });
});
