import { expect, it } from 'vitest';
import { flawOfPaths } from './path-arguments.ts';

it('accepts ordinary paths', () => {
  expect(flawOfPaths([])).toBeNull();
  expect(flawOfPaths(['src/**', 'docs/*.md', 'test/{unit,e2e}/**/*.test.ts', 'package.json'])).toBeNull();
  expect(flawOfPaths(Array.from({ length: 200 }, (_, i) => `src/module-${i}/index.ts`))).toBeNull();
});

it('refuses paths that lead out, and too many patterns [CHILD-52]', () => {
  expect(flawOfPaths(['src/**', '../other'])).toContain('leads out');
  expect(flawOfPaths(['/etc/passwd'])).toContain('without the first slash');
  expect(flawOfPaths(['{a,b}'.repeat(9) + 'c*'.repeat(50)])).toContain('too many patterns');
  expect(flawOfPaths(Array.from({ length: 200 }, () => '*a'.repeat(20)))).toContain('too many patterns');
  expect(flawOfPaths(Array.from({ length: 200 }, () => 'a'.repeat(900)))).toContain('too many paths');
});
