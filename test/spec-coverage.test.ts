// docs/SPEC.md and the tests must agree: each numbered bullet is named by a test that proves it, and each
// id a test names exists.
import { describe, expect, it } from 'vitest';
import { filesBelow, isTest, read } from './source-files.ts';
import { coverageOf, idsOfSpec, idsOfTests } from './spec-ids.ts';

describe('reading ids', () => {
  it('bullets declare ids, prose does not', () => {
    const text = '- **R-12** text\n  - **T-7** nested\nAs **R-9** says\n- R-3 plain\n* **R-4** star\n';
    expect(idsOfSpec(text)).toEqual(['R-12', 'T-7']);
  });

  it('titles name ids', () => {
    expect(idsOfTests("it('a retried task starts a new attempt [T-7]', () => {});")).toEqual(['T-7']);
    expect(idsOfTests('test(`two [T-7, T-8] and [R-1]`, f)')).toEqual(['T-7', 'T-8', 'R-1']);
    expect(idsOfTests('it(\n  "long [MCP-10]",\n  f)')).toEqual(['MCP-10']);
  });

  it('titles behind a modifier name ids', () => {
    expect(idsOfTests("it.each([['a)', f(1)], ['b', 2]])('%s works [T-1]', f)")).toEqual(['T-1']);
    expect(idsOfTests("it.runIf(has('bwrap'))('confines [S-2]', f)")).toEqual(['S-2']);
    expect(idsOfTests("test.concurrent('at once [S-3]', f)")).toEqual(['S-3']);
    expect(idsOfTests("it.each<Row>([{ a: 1 }])('typed rows [T-5]', f)")).toEqual(['T-5']);
    expect(idsOfTests('it.each`a | b\n1 | 2`("$a [T-4]", f)')).toEqual(['T-4']);
  });

  it('only titles of tests that run count', () => {
    expect(idsOfTests("// it('gone [T-7]', f)")).toEqual([]);
    expect(idsOfTests(`${'it'}.todo('later [T-7]')`)).toEqual([]);
    expect(idsOfTests("describe('group [T-7]', f); submit('x [T-8]'); a.test('[T-9]'); expect('[T-1]')")).toEqual([]);
    expect(idsOfTests("it('plain', () => f('[T-1]'))")).toEqual([]);
  });

  it('gaps, strangers and duplicates are listed', () => {
    expect(coverageOf(['A-1', 'A-2', 'A-3', 'A-1'], ['A-1', 'A-1', 'B-9'])).toEqual({
      unproved: ['A-2', 'A-3'],
      unknown: ['B-9'],
      duplicate: ['A-1'],
    });
  });
});

describe('docs/SPEC.md', () => {
  it('every bullet is proved by a test, and tests name no other', () => {
    // This file's own titles are samples.
    const files = [...filesBelow('src').filter(isTest), ...filesBelow('test')].filter(
      (file) => file.endsWith('.ts') && !file.endsWith('spec-coverage.test.ts'),
    );
    const specIds = idsOfSpec(read('docs/SPEC.md'));
    const testIds = files.flatMap((file) => idsOfTests(read(file)));
    expect(specIds.length, 'docs/SPEC.md declares no ids').toBeGreaterThan(0);
    expect(coverageOf(specIds, testIds)).toEqual({ unproved: [], unknown: [], duplicate: [] });
  });
});
