// A few of the mutants in every test run, so that a simulator that no longer catches anything is noticed at once; all of them in
// the full tests, and with `npm run sim:mutants`.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { isFull, sized } from '../../size.ts';
import { mutants } from './mutants.ts';
import { isCurrent, runMutant } from './run-mutant.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const compiled = `${root}.cache/sim`;
const few = new Set([
  'effects start before their intent is stored',
  'the fence is ignored',
  'a failed attempt is not retried and not ended',
  'success without the proof of its checks',
  'work is integrated without proof',
  'a matrix ends before its last task',
  'a malformed output passes',
  'an artifact is recorded that nobody stored',
  'an agent that has used its budget up is let go on',
  'lost processes are started again while their service refuses',
]);

describe('mutants', () => {
  beforeAll(() => {
    const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
    const build = spawnSync(tsc, ['-p', `${root}test/sim/tsconfig.json`], { encoding: 'utf8' });
    expect(build.status, build.stdout).toBe(0);
  });

  it('are at least fifty, each with a name of its own [ENG-7]', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(50);
    expect(new Set(mutants.map((mutant) => mutant.name)).size).toBe(mutants.length);
  });

  it('each still change what they name [ENG-7]', () => {
    expect(mutants.filter((mutant) => !isCurrent(mutant, compiled)).map((mutant) => mutant.name)).toEqual([]);
  });

  it('do not include an unbroken engine, which is not caught [ENG-7]', () => {
    const same = { name: 'same', file: 'engine/wake-signal.js', find: 'rung = true;', put: 'rung = true; ' };
    expect(runMutant(same, compiled, 100)).toEqual({ kind: 'survived' });
  });

  it.each(mutants.filter(({ name }) => isFull || few.has(name)))('$name: is caught [ENG-7]', (mutant) => {
    expect(runMutant(mutant, compiled, sized(500, 2_000))).toMatchObject({ kind: 'caught' });
  });
});
