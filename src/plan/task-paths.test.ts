import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { onlyNames } from '../model/spending/harness-rules.ts';
import { createRun } from '../wire/request-schemas.ts';
import { checkPlan } from './check/check-plan.ts';
import { compilePlan } from './compile/compile-plan.ts';
import { readPlan } from './file/read-plan.ts';
import { wavesOf } from './preview/waves.ts';
import { pathSets } from './task-paths.ts';
import { plan, readTypedPlan } from './typed/typed-plan.ts';
import { text } from './typed/typed-refs.ts';
import { task } from './typed/typed-task.ts';

const finder =
  '  find: { prompt: x, output: { type: object, properties: { parts: { type: array, minItems: 1, items: { type: object, properties: { dir: { type: string } } } } } }, writes: [] }\n';

function planOf(tasks: string, head = '') {
  const { plan: found, problems } = readPlan(`${head}name: x\ntasks:\n${tasks}`, 'x.plan.yaml');
  if (found === null) throw new Error(JSON.stringify(problems));
  return found;
}

const told = (tasks: string, head = ''): string[] =>
  checkPlan(planOf(tasks, head), { inputs: {}, roles: new Map(), harnesses: onlyNames('claude', 'command') }).map(
    ({ severity, message }) => `${severity}: ${message}`,
  );

const setsOf = (tasks: string, name = 'a') => {
  const task = planOf(tasks).tasks.find((each) => each.name === name);
  return task === undefined ? null : pathSets(task);
};

const compiled = (tasks: string, head = '', inputs: Record<string, string> = {}) => {
  const run = compilePlan(planOf(tasks, head), { inputs, roles: new Map() });
  createRun.parse({ ...run, id: `run_${'0'.repeat(26)}`, repo: { path: '/x' } });
  return Object.fromEntries(
    run.tasks.map(({ name, writes, reads, itemPaths }) => [name, { writes, reads, itemPaths }]),
  );
};

const each = '  a: { run: x, matrix: [{ dir: api }, { dir: web }], writes: "src/${{ matrix.dir }}/**" }\n';
const found =
  '  a: { run: x, needs: find, matrix: "${{ tasks.find.output.parts }}", writes: "src/${{ matrix.dir }}/**" }\n';

describe('paths with values of a matrix', () => {
  it('are written in TypeScript as other texts are [PLAN-31]', () => {
    const find = task('find', {
      prompt: 'x',
      output: z.object({ parts: z.array(z.object({ dir: z.string() })).min(1) }),
    });
    const each = task('each', {
      needs: [find],
      matrix: ({ find: { output } }) => output.parts,
      run: 'make',
      writes: ({ matrix }) => [text`src/${matrix.dir}/**`, 'CHANGES.md'],
      reads: ({ matrix }) => text`docs/${matrix.dir}`,
    });
    const read = readTypedPlan(plan({ name: 'x', tasks: [find, each] }), 'x.plan.ts');
    expect(read?.problems).toEqual([]);
    expect(read?.plan?.tasks[1]).toMatchObject({
      writes: [['src/', { ref: ['matrix', 'dir'] }, '/**'], 'CHANGES.md'],
      reads: [['docs/', { ref: ['matrix', 'dir'] }]],
    });
  });

  it('of literal items are compared one by one [PLAN-31]', () => {
    expect(setsOf(each)).toEqual({
      kind: 'apart',
      sets: [
        { writes: ['src/api/**'], reads: [] },
        { writes: ['src/web/**'], reads: [] },
      ],
    });
    expect(told(each)).toEqual([]);
    expect(told(each.replace('web', 'api/v2'))).toEqual([
      'warning: items 1 and 2 of the matrix "a" write the same files (src/api/**): they will take turns',
    ]);
    expect(told(`${each}  b: { run: x, writes: src/web/list }\n  c: { run: x, writes: src/docs }\n`)).toEqual([
      'warning: "b" and "a" could run together and write the same files (src/web/list and src/web/**): they will take turns',
    ]);
  });

  it('of items that a task finds count as anything below their literal beginning [PLAN-31]', () => {
    expect(setsOf(finder + found)).toEqual({ kind: 'unknown', sets: [{ writes: ['src/**'], reads: [] }] });
    expect(setsOf(finder + found.replace('src/$', '{src,$').replace('}}/**', '}}}/**'))?.sets[0]?.writes).toEqual([
      '**',
    ]);
    expect(told(finder + found)).toEqual([
      'warning: tasks of the matrix "a" may write the same files, depending on its items: those that do will take turns',
    ]);
    expect(told(`${finder}${found}  b: { run: x, writes: docs }\n`)).toHaveLength(1);
    expect(told(`${finder}${found}  b: { run: x, writes: src/lib }\n`)).toContain(
      'warning: "b" and "a" could run together and write the same files (src/lib and src/**): they will take turns',
    );
  });

  it.each([
    ['../..', '"src/../../**" is not a path in the repository: it leads out of it'],
    ['"a{"', '"src/a{/**" is not a path in the repository: a "{" has no "}"'],
    ['""', 'matrix.dir is empty'],
    ['[a]', 'matrix.dir is not a text or a number'],
    ['null', 'matrix.dir is not a text or a number'],
  ])('that are none with an item of the plan are an error: %s [PLAN-31]', (value, why) => {
    const [problem = ''] = told(each.replace('dir: web', `dir: ${value}`));
    expect(problem).toBe(`error: "writes" is not a path with item 2: ${why}`);
  });

  it('hold values of the matrix and of inputs, and nothing else [PLAN-31]', () => {
    expect(told(`${finder}  a: { run: x, needs: find, writes: "\${{ tasks.find.output.parts }}/**" }\n`)).toEqual([
      'error: "tasks.find.output.parts" cannot stand in a path',
    ]);
    expect(told('  a: { run: x, writes: "${{ matrix.dir }}/**" }\n')).toEqual([
      'error: there is no item here: the task has no matrix',
    ]);
    expect(told(each.replace('matrix.dir', 'matrix.dri'))).toContain(
      'error: "matrix.dri" leads nowhere: of matrix, no item has "dri"',
    );
  });

  it('are sent as data, beside paths that cover them all [PLAN-31]', () => {
    expect(compiled(`${each}  b: { run: x, matrix: [1], reads: [docs], writes: [] }\n`)).toEqual({
      a: {
        writes: ['src/**'],
        reads: [],
        itemPaths: { writes: [['src/', { ref: ['matrix', 'dir'] }, '/**']], reads: [] },
      },
      b: { writes: [], reads: ['docs'], itemPaths: undefined },
    });
    const head = 'inputs: { root: {} }\n';
    const both = each.replace('src/', '${{ inputs.root }}/').replace('writes', 'reads');
    expect(compiled(both, head, { root: 'lib' })['a']).toMatchObject({
      writes: null,
      reads: ['lib/**'],
      itemPaths: { writes: null, reads: [['lib/', { ref: ['matrix', 'dir'] }, '/**']] },
    });
    const own = '  a: { run: x, writes: "${{ inputs.root }}/**" }\n';
    expect(compiled(own, head, { root: 'lib' })['a']).toEqual({ writes: ['lib/**'], reads: [], itemPaths: undefined });
    expect(() => compiled(own, head, { root: '..' })).toThrow('it leads out of it');
  });

  it('let items run together in the preview unless they meet [PLAN-31]', () => {
    const waves = (tasks: string) =>
      wavesOf(planOf(tasks), { slots: 8, inputs: {} }).waves.map(({ tasks: [first] }) => first?.items?.now);
    expect(waves(each)).toEqual([2]);
    expect(waves(each.replace('web', 'api/v2'))).toEqual([1, 1]);
  });
});
