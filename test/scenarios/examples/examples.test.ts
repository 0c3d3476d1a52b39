// The plans in examples/, as a user would first try them: checked, then played through with scripted agents that give the
// example outputs. Each says here which of its tasks are done and which are left out.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const folder = resolve(import.meta.dirname, '../../../examples');
const planOf = (name: string): string => join(folder, name, `${name}.plan.yaml`);

interface Example {
  readonly inputs: readonly string[];
  /** Tasks that agents or commands worked on, the members of a matrix by the matrix and their number. */
  readonly done: readonly string[];
  readonly leftOut: readonly string[];
}

const examples: Readonly<Record<string, Example>> = {
  'bug-hunt': {
    inputs: ['bug=A user sees the answers of another.'],
    done: ['trace', 'reproduce', 'diagnose', 'fix', 'refute'],
    leftOut: ['fix-again'],
  },
  'endpoint-audit': { inputs: [], done: ['list', 'audit x3', 'report'], leftOut: [] },
  'feature-by-module': {
    inputs: ['feature=Projects can be archived.'],
    done: ['survey x3', 'interfaces', 'store', 'api', 'web', 'join', 'refute'],
    leftOut: [],
  },
  'for-and-against': {
    inputs: ['proposal=Keep sessions in one place.'],
    done: ['argue-for', 'argue-against', 'answer-for', 'answer-against', 'judge', 'record'],
    leftOut: [],
  },
  'jest-to-vitest': { inputs: [], done: ['find', 'recipe', 'migrate x4', 'sweep', 'refute'], leftOut: [] },
  'led-change': { inputs: ['change=Lists have pages.'], done: ['lead', 'refute'], leftOut: [] },
  release: { inputs: [], done: ['audit', 'notes', 'approve', 'tag'], leftOut: [] },
  nightly: { inputs: [], done: ['outdated', 'update', 'flaky', 'steady x1', 'documents', 'report'], leftOut: [] },
};

const openWorld = shareDaemon();
let world: World;

beforeAll(() => {
  world = openWorld();
});

afterAll(() => world.close());

async function play(file: string, inputs: readonly string[]): Promise<RunView> {
  const args = ['run', file, '--stubs', '--json', ...inputs.flatMap((input) => ['--input', input])];
  const { stdout, stderr, code } = await world.sb(args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as RunView;
}

/** Tasks with this outcome, those of a matrix counted together. Matrices and phases themselves have no agent. */
function endedAs(run: RunView, kind: string): string[] {
  const names = run.tasks.filter(({ outcome }) => outcome?.kind === kind).map(({ name }) => name);
  const members = (matrix: string): number => names.filter((name) => name.startsWith(`${matrix}.`)).length;
  const whole = names.filter((name) => !name.includes('.'));
  return whole.map((name) => (members(name) === 0 ? name : `${name} x${members(name)}`));
}

describe('the examples', () => {
  it('are all played here, and listed in the README [EX-1]', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const folders = readdirSync(folder).filter((name) => name !== 'README.md');
    expect(folders.sort()).toEqual(Object.keys(examples).sort());
    expect(folders.filter((name) => !readme.includes(`(${name}/${basename(planOf(name))})`))).toEqual([]);
  });

  it.each(Object.entries(examples))(
    '%s passes its check, and ends as its README says [EX-1]',
    async (name, example) => {
      const checked = await world.sb(['plan', 'check', planOf(name)]);
      expect([checked.code, checked.stderr]).toEqual([0, '']);
      const run = await play(planOf(name), example.inputs);
      expect(run.outcome).toBe('succeeded');
      expect(endedAs(run, 'succeeded').sort()).toEqual([...example.done].sort());
      expect(endedAs(run, 'omitted')).toEqual(example.leftOut);
    },
  );

  it('a bug hunt whose fix is refuted has its second round [EX-1]', async () => {
    const text = readFileSync(planOf('bug-hunt'), 'utf8');
    const refuted = text.replace('{ verdict: holds, faults: [] }', '{ verdict: refuted, faults: [] }');
    expect(refuted).not.toBe(text);
    writeFileSync(world.path('refuted.plan.yaml'), refuted);
    const run = await play(world.path('refuted.plan.yaml'), ['bug=x']);
    expect(endedAs(run, 'succeeded')).toContain('fix-again');
  });

  it('a migration whose trial failed migrates nothing [EX-1]', async () => {
    const text = readFileSync(planOf('jest-to-vitest'), 'utf8');
    writeFileSync(world.path('failed.plan.yaml'), text.replace('worked: true', 'worked: false'));
    const { stdout, code } = await world.sb(['run', world.path('failed.plan.yaml'), '--stubs', '--json']);
    expect(code).toBe(6);
    const run = JSON.parse(stdout) as RunView;
    expect(endedAs(run, 'succeeded').sort()).toEqual(['find', 'recipe']);
    expect(run.tasks.find(({ name }) => name === 'phase.trial')?.outcome?.kind).toBe('failed');
  });
});
