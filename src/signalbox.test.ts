// Plans in TypeScript: what they become, and what the compiler says about them (every @ts-expect-error is checked by tsc).

import { describe, expect, it } from 'vitest';
import { onlyNames } from './model/spending/harness-rules.ts';
import { checkPlan } from './plan/check/check-plan.ts';
import { compilePlan } from './plan/compile/compile-plan.ts';
import { problemText } from './plan/file/problem.ts';
import { readPlan } from './plan/file/read-plan.ts';
import { readTypedPlan } from './plan/typed/typed-plan.ts';
import { and, eq, input, ne, or, plan, type TypedPlan, task, text, z } from './signalbox.ts';

const bug = z.object({ title: z.string(), line: z.number().optional() });
const find = task('find', {
  prompt: 'Find',
  output: z.object({ bugs: z.array(bug).min(1), verdict: z.enum(['pass', 'fail']) }),
});
const given = { inputs: {}, roles: new Map(), harnesses: onlyNames('scripted', 'command', 'claude') };

function read(typed: TypedPlan) {
  const found = readTypedPlan(typed, 'x.plan.ts');
  if (found === null || found.plan === null) throw new Error(JSON.stringify(found?.problems));
  return found.plan;
}

describe('a plan in TypeScript', () => {
  it('is the same as the plan file that says the same [PLAN-16]', () => {
    const folder = input('folder', { default: 'src', description: 'where' });
    const fix = task('fix', {
      needs: [find],
      matrix: ({ find }) => find.output.bugs,
      when: ({ find }) => and(ne(find.output.bugs.length, 0), or(eq(find.output.verdict, 'fail'), find.result)),
      prompt: ({ matrix, run }) => text`Fix ${matrix.title} in ${folder}, run ${run.id}: $\{{ is no reference`,
      env: ({ matrix }) => ({ LINE: matrix.line, WORD: 'a', N: 5 }),
      output: z.object({ done: z.boolean() }),
      writes: ['src/**'],
      retry: { attempts: 2, delaySeconds: 5 },
      checks: ['npm test', { name: 'lint', run: ['npm', 'run', 'lint'], timeoutMinutes: 1, retries: 1 }],
      timeoutMinutes: 10,
      onFailure: 'continue',
    });
    const report = task('report', { needs: [fix], run: ({ fix }) => ['echo', fix.output.length, 'of'], phase: 'end' });
    const typed = plan({
      name: 'hunt',
      inputs: [folder],
      defaults: { harness: 'claude', env: { F: folder } },
      limits: { maxParallel: 3, perHarness: { claude: 2 } },
      interlock: 'open',
      phases: [{ name: 'end', throwAway: true }],
      tasks: [find, fix, report],
    });
    const file = `name: hunt
inputs: { folder: { default: src, description: where } }
defaults: { harness: claude, env: { F: "\${{ inputs.folder }}" } }
limits: { max-parallel: 3, per-harness: { claude: 2 } }
phases: [{ name: end, throw-away: true }]
tasks:
  find:
    prompt: Find
    output:
      type: object
      properties:
        bugs:
          type: array
          minItems: 1
          items:
            type: object
            properties: { title: { type: string }, line: { type: number } }
            required: [title]
            additionalProperties: false
        verdict: { type: string, enum: [pass, fail] }
      required: [bugs, verdict]
      additionalProperties: false
  fix:
    needs: find
    matrix: \${{ tasks.find.output.bugs }}
    when: tasks.find.output.bugs.length != 0 && (tasks.find.output.verdict == 'fail' || tasks.find.result)
    prompt: "Fix \${{ matrix.title }} in \${{ inputs.folder }}, run \${{ run.id }}: $\${{ is no reference"
    env: { LINE: "\${{ matrix.line }}", WORD: a, N: 5 }
    output: { type: object, properties: { done: { type: boolean } }, required: [done], additionalProperties: false }
    writes: src/**
    retry: { attempts: 2, delay-seconds: 5 }
    checks: [npm test, { name: lint, run: [npm, run, lint], timeout-minutes: 1, retries: 1 }]
    timeout-minutes: 10
    on-failure: continue
  report: { needs: fix, run: [echo, "\${{ tasks.fix.output.length }}", of], phase: end }
`;
    const written = readPlan(file, 'x.plan.yaml').plan;
    if (written === null) throw new Error('no plan');
    const { source: _, ...one } = read(typed);
    const { source: __, ...other } = written;
    expect(one).toEqual(other);
    expect(compilePlan(read(typed), given)).toEqual(compilePlan(written, given));
    expect(checkPlan(read(typed), given).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('tells a problem where its task is written [PLAN-16]', () => {
    const odd = task('odd', { prompt: 'x', phase: 'nowhere' });
    const [problem] = checkPlan(read(plan({ name: 'x', tasks: [odd] })), given).map(problemText);
    expect(problem).toMatch(/^x\.plan\.ts:\d\d:17: error: there is no phase "nowhere"/);
  });

  it('says so where a reference is taken for its value [PLAN-16]', () => {
    const wrong = (act: (given: { find: { output: unknown } }) => unknown) => () =>
      task('a', { needs: [find], prompt: (all) => `${String(act(all))}` });
    expect(wrong(({ find }) => `Fix ${String(find.output)}`)).toThrow('tasks.find.output has no value before the run');
    expect(wrong(({ find }) => JSON.stringify(find.output))).toThrow('has no value before the run');
    expect(() => task('a', { needs: [find], prompt: ({ find }) => text`$${find.result}` })).toThrow(
      'right behind a "$"',
    );
    expect(() => task('run', { prompt: 'x' })).toThrow('a task cannot be called "run"');
    expect(() => plan({ name: 'x', tasks: [find, find] })).toThrow('two tasks are called "find"');
    expect(readTypedPlan({}, 'x')).toBeNull();
  });

  it('literal items are literal', () => {
    const typed = plan({
      name: 'x',
      tasks: [task('a', { matrix: [{ f: '${{ x }}' }], prompt: ({ matrix }) => text`${matrix.f}` })],
    });
    expect(compilePlan(read(typed), given).tasks[0]).toMatchObject({
      items: [{ f: '${{ x }}' }],
      prompt: [{ ref: ['matrix', 'f'] }],
    });
  });
});

/** Never called: what matters is that tsc reads it. */
export function types(): void {
  const none = task('none', { run: 'x' });
  const each = task('each', { matrix: ['a', 'b'], prompt: ({ matrix }) => text`${matrix.length}`, output: bug });
  task('a', { needs: [find, none, each], prompt: ({ find, each }) => text`${find.output.bugs[0]} ${each.output[0]}` });
  // @ts-expect-error the output has no such property
  task('b', { needs: [find], prompt: ({ find }) => text`${find.output.titel}` });
  // @ts-expect-error the task is not needed
  task('c', { needs: [none], prompt: ({ find }) => text`${find.output}` });
  // @ts-expect-error the task gives nothing
  task('d', { needs: [none], prompt: ({ none }) => text`${none.output}` });
  // @ts-expect-error the output of a matrix is a list
  task('e', { needs: [each], prompt: ({ each }) => text`${each.output.title}` });
  // @ts-expect-error an item has no such property
  task('f', { needs: [find], matrix: ({ find }) => find.output.bugs, prompt: ({ matrix }) => text`${matrix.name}` });
  // @ts-expect-error a matrix is made over a list
  task('g', { needs: [find], matrix: ({ find }) => find.output, prompt: 'x' });
  // @ts-expect-error there is no item without a matrix
  task('h', { prompt: ({ matrix }) => text`${matrix}` });
  // @ts-expect-error the verdict is never that
  task('i', { needs: [find], when: ({ find }) => eq(find.output.verdict, 'maybe'), prompt: 'x' });
  // @ts-expect-error the example does not fit
  task('j', { prompt: 'x', output: bug, example: { title: 5 } });
  // @ts-expect-error a word that nobody knows
  task('k', { prompt: 'x', timeout: 5 });
  // @ts-expect-error a reference is no text
  const said: string = input('x');
  plan({ name: said, tasks: [] });
}
