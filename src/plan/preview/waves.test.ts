import { expect, it } from 'vitest';
import { readPlan } from '../file/read-plan.ts';
import { wavesOf } from './waves.ts';

function shown(tasks: string, head = '', slots = 10, inputs: Record<string, string> = {}): string[] {
  const { plan, problems } = readPlan(`${head}name: x\ntasks:\n${tasks}`, 'p');
  if (plan === null) throw new Error(JSON.stringify(problems));
  const { waves, omitted } = wavesOf(plan, { slots, inputs });
  const lines = waves.map(({ tasks: ran, held }) => {
    const names = ran.map(({ name, items }) => (items === null ? name : `${name}*${items.now}`));
    return [...names, ...held.map(({ name, by, path }) => `(${name} for ${by}: ${path})`)].join(' ');
  });
  return omitted.length === 0 ? lines : [...lines, `without ${omitted.join(' ')}`];
}

it('a task comes after its needs, and a phase after the one before [PLAN-13]', () => {
  const tasks = '  c: { run: x, needs: b }\n  b: { run: x, needs: a }\n  a: { run: x }\n  d: { run: x }\n';
  expect(shown(tasks)).toEqual(['a d', 'b', 'c']);
  expect(shown('  a: { run: x, phase: verification }\n  b: { run: x, phase: research }\n')).toEqual(['b', 'a']);
});

it('slots and limits bound a wave, and priorities go first [PLAN-13]', () => {
  const tasks =
    '  a: { prompt: x, harness: claude }\n  b: { prompt: x, harness: claude }\n  c: { run: x }\n  d: { run: x, priority: 1 }\n';
  expect(shown(tasks, '', 3)).toEqual(['d a b', 'c']);
  expect(shown(tasks, 'limits: { max-parallel: 2 }\n')).toEqual(['d a', 'b c']);
  expect(shown(tasks, 'limits: { per-harness: { claude: 1 } }\n')).toEqual(['d a c', 'b']);
});

it('overlapping writers take turns, and readers wait [PLAN-13]', () => {
  const tasks =
    '  a: { run: x, writes: src }\n  b: { run: x, writes: src/b }\n  c: { run: x, reads: src/c }\n  d: { run: x, writes: [] }\n';
  expect(shown(tasks)).toEqual(['a d (b for a: src) (c for a: src)', 'b c']);
  expect(shown('  a: { run: x, matrix: [1, 2, 3], writes: src }\n  b: { run: x, matrix: [1, 2, 3] }\n', '', 3)).toEqual(
    ['a*1 b*2', 'a*1 b*1', 'a*1'],
  );
});

it('tasks that an input leaves out are not shown, nor their dependants [PLAN-13]', () => {
  const tasks = '  a: { run: x, when: inputs.deep }\n  b: { run: x, needs: a }\n  c: { run: x }\n';
  const head = 'inputs: { deep: { type: boolean, default: false } }\n';
  expect(shown(tasks, head)).toEqual(['c', 'without a b']);
  expect(shown(tasks, head, 10, { deep: 'true' })).toEqual(['a c', 'b']);
});
