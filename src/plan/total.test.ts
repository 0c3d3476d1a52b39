// Any plan file is read to a plan or to problems with positions in it; nothing throws.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onlyNames } from '../model/spending/harness-rules.ts';
import { createRun } from '../wire/request-schemas.ts';
import { checkPlan } from './check/check-plan.ts';
import { compilePlan } from './compile/compile-plan.ts';
import { hasErrors } from './file/problem.ts';
import { readPlan } from './file/read-plan.ts';
import { drawGraph, graphFormats } from './preview/draw-graph.ts';
import { starterPlan } from './preview/starter-plan.ts';
import { stubProblems, withStubs } from './preview/stubs.ts';
import { omittedTasks, wavesOf } from './preview/waves.ts';
import { worstCase } from './preview/worst-case.ts';

const plan = starterPlan('x', './s.json', 'claude').replace(/^ *#.*\n/gm, '');
const limited = `name: x
limits: { budget: { usd: 5, time: 2h, agents: 9 }, confirm-above: $3 }
defaults: { budget: { usd: 0.5, tokens: 2M }, fallback: [sonnet], on-failure: ask, stall-minutes: 5 }
tasks:
  find: { prompt: Find, matrix: [1, 2], budget-in-all: $1, retry: { how: continue } }
  ok:
    needs: find
    when: { find: at-least-1 }
    gate:
      message: "Take \${{ tasks.find.succeeded }} of \${{ tasks.find.total }}?"
      show: [diff, cost]
      form:
        v: { type: choice, options: [a, 2], default: a }
        n: { type: number, required: false, label: How many }
      timeout: 7d
      on-timeout: approve
      who: [me]
  tell: { needs: ok, run: [echo, "\${{ tasks.ok.output.v }}"], on-failure: continue, budget: { time: 1h } }
`;
const given = { inputs: {}, roles: new Map(), harnesses: onlyNames('claude', 'command', 'scripted') };

function useAll(text: string): void {
  const read = readPlan(text, 'x');
  const problems = [...read.problems, ...(read.plan === null ? [] : checkPlan(read.plan, given))];
  const height = text.split('\n').length;
  for (const { line, column } of problems) expect(line >= 1 && line <= height && column >= 1).toBe(true);
  expect(read.plan !== null || hasErrors(problems)).toBe(true);
  if (read.plan === null || hasErrors(problems)) return;
  for (const format of graphFormats) drawGraph(read.plan, format);
  wavesOf(read.plan, { slots: 2, inputs: {} });
  const agent = { harness: 'claude', model: undefined, effort: undefined };
  const compiled = compilePlan(read.plan, { ...given, agent });
  // The daemon accepts every plan without errors.
  const asked = createRun.safeParse({ ...compiled, id: `run_${'0'.repeat(26)}`, repo: { path: '/x' } });
  expect(asked.error?.issues ?? []).toEqual([]);
  worstCase(compiled, omittedTasks(read.plan, {}));
  if (stubProblems(read.plan).length === 0) withStubs(compiled, read.plan);
}

const words = [
  'find',
  'fix',
  'tasks',
  '${{ ',
  ' }}',
  'tasks.find.output',
  'matrix',
  '[',
  ']',
  '{',
  '}',
  ': ',
  '- ',
  '&a ',
  '*a',
  '!!x ',
  '"',
  '|',
  '\n',
  '  ',
  '\t',
  'null',
  '5',
  'true',
  'type',
  '$ref: "#/x"',
  'gate',
  'budget',
  '$5',
  '-1',
  '#',
  '__proto__',
  '\u{1F600}',
  '\0',
];

it('a plan with anything inserted is read or refused [PLAN-1]', () => {
  const edit = fc.record({
    at: fc.nat(plan.length),
    cut: fc.nat(12),
    put: fc.array(fc.constantFrom(...words), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.constantFrom(plan, limited), fc.array(edit, { minLength: 1, maxLength: 3 }), (whole, edits) => {
      useAll(edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put.join('') + text.slice(at + cut), whole));
    }),
    { numRuns: 400 },
  );
});

it.each([
  ['lists', plan.split('\n')],
  ['limits', limited.split('\n')],
])('a plan with %s and shuffled lines is read or refused [PLAN-1]', (_, lines) => {
  fc.assert(
    fc.property(fc.array(fc.nat(lines.length - 1), { maxLength: 4 }), fc.nat(lines.length), (moved, to) => {
      const rest = lines.filter((_, i) => !moved.includes(i));
      useAll([...rest.slice(0, to), ...moved.map((i) => lines[i] ?? ''), ...rest.slice(to)].join('\n'));
    }),
    { numRuns: 150 },
  );
});
