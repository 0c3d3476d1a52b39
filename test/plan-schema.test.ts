// docs/plan.schema.json is what editors check plan files by: it must say what the program says.
import { execFileSync } from 'node:child_process';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { starterPlan } from '../src/plan/preview/starter-plan.ts';
import { read, trackedFiles } from './source-files.ts';

describe('the schema for editors', () => {
  const fits = new Ajv({ strict: false }).compile(JSON.parse(read('docs/plan.schema.json')) as object);

  it('is made from the schema that reads plans [PLAN-15]', () => {
    execFileSync(process.execPath, ['scripts/plan-schema.mjs', '--check'], { cwd: `${import.meta.dirname}/..` });
  });

  it('takes the plan to begin with, and every example [PLAN-15]', () => {
    const examples = trackedFiles().filter((file) => /^examples\/.*\.plan\.yaml$/.test(file));
    expect(examples.length).toBeGreaterThan(0);
    for (const text of [starterPlan('x', './s.json', 'claude'), ...examples.map(read)]) {
      expect(fits(parse(text)), JSON.stringify(fits.errors)).toBe(true);
    }
  });

  it('refuses what the program refuses', () => {
    expect(fits({ name: 'x', tasks: { a: { prompt: 'x', pormpt: 'y' } } })).toBe(false);
    expect(fits({ name: 'x', tasks: { a: { prompt: 'x', needs: 5 } } })).toBe(false);
    expect(fits({ name: 'x' })).toBe(false);
    expect(fits({ name: 'x', tasks: { 'a b': { prompt: 'x' } } })).toBe(false);
  });
});
