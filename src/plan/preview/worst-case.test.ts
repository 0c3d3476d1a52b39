import { describe, expect, it } from 'vitest';
import { compilePlan } from '../compile/compile-plan.ts';
import { readPlan } from '../file/read-plan.ts';
import { omittedTasks } from './waves.ts';
import { type WorstCase, worstCase } from './worst-case.ts';

function worst(tasks: string, head = '', inputs: Record<string, string> = {}): WorstCase {
  const { plan, problems } = readPlan(`name: x\n${head}tasks:\n${tasks}`, 'p');
  if (plan === null) throw new Error(JSON.stringify(problems));
  return worstCase(compilePlan(plan, { inputs, roles: new Map() }), omittedTasks(plan, inputs));
}

const money = (tasks: string, head = ''): WorstCase['by']['microUsd'] => worst(tasks, head).by.microUsd;
const dollar = 1_000_000;

describe('the worst case', () => {
  it("is the sum of all tasks' budgets, a matrix once for each item [PLAN-23]", () => {
    expect(money('  a: { prompt: x, budget: $1 }\n  b: { prompt: x, matrix: [1, 2, 3], budget: $2 }\n')).toEqual({
      tasks: { known: 7 * dollar, perItem: [] },
      unlimited: [],
      run: null,
      atMost: 7 * dollar,
    });
    expect(money('  b: { prompt: x, matrix: [1, 2, 3], budget: $2, budget-in-all: $5 }\n').atMost).toBe(5 * dollar);
    expect(money('  b: { prompt: x, matrix: [1, 2], budget: $2, budget-in-all: $5 }\n').atMost).toBe(4 * dollar);
    expect(money('  b: { prompt: x, matrix: [1, 2], budget-in-all: $5 }\n').atMost).toBe(5 * dollar);
  });

  it("is never above the run's budget [PLAN-23]", () => {
    const limited = 'limits: { budget: $5 }\n';
    expect(money('  a: { prompt: x, budget: $9 }\n', limited)).toMatchObject({ run: 5 * dollar, atMost: 5 * dollar });
    expect(money('  a: { prompt: x, budget: $3 }\n', limited).atMost).toBe(3 * dollar);
    expect(money('  a: { prompt: x }\n', limited)).toMatchObject({ unlimited: ['a'], atMost: 5 * dollar });
  });

  it('names tasks without a limit, and unknown factors [PLAN-23]', () => {
    const list = '{ type: object, properties: { bugs: { type: array, minItems: 1 } } }';
    const hunt = `  find: { prompt: x, output: ${list}, budget: $1 }\n  fix: { prompt: x, needs: find, matrix: "\${{ tasks.find.output.bugs }}"`;
    const over = 'tasks.find.output.bugs';
    expect(money(`${hunt}, budget: $2 }\n`)).toEqual({
      tasks: { known: dollar, perItem: [{ task: 'fix', each: 2 * dollar, over }] },
      unlimited: [],
      run: null,
      atMost: null,
    });
    expect(money(`${hunt}, budget: $2, budget-in-all: $6 }\n`)).toMatchObject({ atMost: 7 * dollar });
    expect(money(`${hunt} }\n`)).toMatchObject({ unlimited: ['fix'], atMost: null });
    expect(worst(`${hunt}, retry: { attempts: 3, conflicts: 0 } }\n`).attempts).toEqual({
      known: 3,
      perItem: [{ task: 'fix', each: 3, over }],
    });
  });

  it('has no more attempts than there may be agents [PLAN-23]', () => {
    const many = '  b: { prompt: x, matrix: [1, 2, 3], retry: { attempts: 9 }';
    expect(worst(`${many} }\n`).attempts.known).toBe(33);
    expect(worst(`${many}, checks: [npm test] }\n`).attempts.known).toBe(39);
    expect(worst(`${many}, budget: { agents: 4 } }\n`).attempts.known).toBe(12);
    expect(worst(`${many}, budget-in-all: { agents: 7 } }\n`).attempts.known).toBe(7);
    expect(worst(`${many} }\n`, 'limits: { budget: { agents: 5 } }\n').attempts).toEqual({ known: 5, perItem: [] });
  });

  it('leaves out tasks that spend nothing and omitted ones [PLAN-23]', () => {
    const gate = '  ok: { gate: { message: x } }\n';
    const { by, attempts } = worst(
      `${gate}  a: { run: x, budget: { time: 1h } }\n  b: { prompt: x, phase: research }\n`,
    );
    expect(by.microUsd).toMatchObject({ unlimited: ['b'] });
    expect(by.timeMs).toMatchObject({ tasks: { known: 3_600_000 }, unlimited: ['b'] });
    expect(attempts.known).toBe(1);
    const deep = 'inputs: { deep: { type: boolean, default: false } }\n';
    expect(money('  a: { prompt: x, when: "${{ inputs.deep }}" }\n', deep)).toMatchObject({ unlimited: [], atMost: 0 });
  });
});
