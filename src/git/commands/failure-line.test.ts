import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureLine, failureText, lastLine, lastLines } from './failure-line.ts';

const recorded = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/check-outputs', `${name}.txt`), 'utf8');

describe('the line that names the failure in recorded outputs [EVID-5]', () => {
  it.each([
    ['npm-node-test', 'not ok 2 - rounds half up: 3 == 2'],
    ['node-test-spec', '✖ rounds half up (0.744257ms): AssertionError [ERR_ASSERTION]: 3 == 2'],
    ['npm-missing-module', "Error: Cannot find module './missing.js'"],
    ['vitest', 'FAIL  sum.test.ts > rounds half up: AssertionError: expected 3 to be 2 // Object.is equality'],
    ['jest', '● rounds half up: expect(received).toBe(expected) // Object.is equality'],
    ['mocha', '1) rounding: AssertionError [ERR_ASSERTION]: 3 == 2'],
    ['pytest', 'FAILED test_sum.py::test_add - assert -1 == 3'],
    ['pytest-quiet', 'FAILED test_sum.py::test_add - assert -1 == 3'],
    ['pytest-collect', "ModuleNotFoundError: No module named 'nothing_there'"],
    ['cargo-test', "thread 'tests::adds' (17356) panicked at src/lib.rs:8:17: assertion `left == right` failed"],
    ['cargo-build', 'error[E0425]: cannot find value `b` in this scope: src/lib.rs:1:29'],
    ['go-test', '--- FAIL: TestAdd (0.00s): sum_test.go:12: Add(1, 2) = -1, want 3'],
    ['go-test-quiet', '--- FAIL: TestAdd (0.00s): sum_test.go:12: Add(1, 2) = -1, want 3'],
    ['go-build', './sum.go:4:9: undefined: total'],
    ['tsc', "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'."],
    ['eslint', "/tmp/use-x/checkout/src/round.js: 8:11 error 'half' is assigned a value but never used no-unused-vars"],
    ['make-gcc', 'sum.c:1:25: error: ‘b’ undeclared (first use in this function)'],
    ['only-banners', ''],
  ])('%s', (name, line) => {
    expect(failureLine(recorded(name))).toBe(line);
  });

  it('of a setup, npm says why it cannot install', () => {
    expect(failureLine(recorded('npm-ci'))).toMatch(/^npm error `npm ci` can only install packages when /);
    expect(lastLines(recorded('npm-ci'), 2)).toEqual([
      'npm error Missing: left-pad@1.3.0 from lock file',
      'npm error Clean install a project',
    ]);
  });
});

it('the last line counts where none names a failure, harmless for a terminal', () => {
  expect(failureLine('one\n\u001b[31mtwo\u001b[0m\r\n\n')).toBe('two');
  expect(failureLine('10 %\r100 %\rdisk is full\n')).toBe('disk is full');
  expect(failureLine('')).toBe('');
});

it('errors that a passing test prints do not hide the test that failed', () => {
  const output = "Error: expected by a test\nok 1 - throws\nnot ok 2 - adds\n  ---\n  error: '1 == 2'\n  ...\n";
  expect(failureLine(output)).toBe('not ok 2 - adds: 1 == 2');
});

it('a parent test that only counts its failed subtests is passed over', () => {
  const output =
    "    not ok 1 - adds\n      ---\n      error: '1 == 2'\nnot ok 1 - sums\n  ---\n  error: '1 subtest failed'\n";
  expect(failureLine(output)).toBe('not ok 1 - adds: 1 == 2');
});

describe('the text around a failure [EVID-5]', () => {
  it('has no banners, trailers or passed tests', () => {
    const text = failureText(recorded('npm-node-test'), 2_000);
    expect(text).toMatch(/^not ok 2 - rounds half up\n {2}location: /);
    expect(text).toContain("error: '3 == 2'");
    expect(text).not.toMatch(/npm notice|duration_ms|# pass|TAP version|ok 1 - adds|> app@|\n\n/);
  });

  it('is bounded, and begins with the failure where much was printed after it', () => {
    const noise = Array.from({ length: 500 }, (_, n) => `closing connection ${n}`).join('\n');
    const text = failureText(`starting\nnot ok 2 - adds\n  error: '1 == 2'\n${noise}\n`, 300);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).toMatch(/^not ok 2 - adds\n {2}error: '1 == 2'\n/);
    expect(text).toContain('\n[…]\n');
    expect(text).toMatch(/closing connection 499$/);
  });

  it('is the end where no line names a failure, cut at a line', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    expect(failureText(lines.join('\n'), 20)).toBe('line 98\nline 99');
    expect(failureText('x'.repeat(50), 10)).toBe('x'.repeat(10));
    expect(failureText(recorded('only-banners'), 2_000)).toBe('');
  });

  it('of a line without end costs no more than any other', () => {
    const began = performance.now();
    expect(failureLine(`error: ${'a '.repeat(2_000_000)}`).length).toBeLessThanOrEqual(500);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

it('the last line is kept for programs of our own', () => {
  expect(lastLine('fatal: one\nhint: two\n')).toBe('hint: two');
});
