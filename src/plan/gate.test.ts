import { describe, expect, it } from 'vitest';
import { onlyNames } from '../model/spending/harness-rules.ts';
import { createRun } from '../wire/request-schemas.ts';
import { checkPlan, type Given } from './check/check-plan.ts';
import { type CompiledRun, compilePlan } from './compile/compile-plan.ts';
import { problemText } from './file/problem.ts';
import { readPlan } from './file/read-plan.ts';
import type { Plan } from './plan.ts';
import { drawGraph } from './preview/draw-graph.ts';
import { stubProblems, withStubs } from './preview/stubs.ts';
import { wavesOf } from './preview/waves.ts';

const given: Given = { inputs: {}, roles: new Map(), harnesses: onlyNames('claude', 'command') };
const build = '  build: { run: x, output: { type: object, properties: { size: { type: integer } } } }\n';

/** Every problem, without the file's name; tasks begin in the fourth line. */
function told(tasks: string): string[] {
  const { plan, problems } = readPlan(`name: x\ntasks:\n${build}${tasks}`, 'p');
  return (plan === null ? problems : checkPlan(plan, given)).map((each) => problemText(each).slice(2));
}

function planOf(tasks: string, head = ''): Plan {
  const { plan, problems } = readPlan(`name: x\n${head}tasks:\n${build}${tasks}`, 'p');
  if (plan === null) throw new Error(problems.map(problemText).join('\n'));
  expect(checkPlan(plan, given)).toEqual([]);
  return plan;
}

function compiled(plan: Plan): CompiledRun {
  const run = compilePlan(plan, { inputs: {}, roles: new Map() });
  createRun.parse({ ...run, id: `run_${'0'.repeat(26)}`, repo: { path: '/x' } });
  return run;
}

const whole = `  approve:
    needs: build
    on-failure: continue
    gate:
      message: "Release \${{ tasks.build.output.size }} bytes?"
      show: [tasks.build.output, diff, cost]
      form:
        version: { label: Which one? }
        level: { type: choice, options: [minor, 2], default: minor }
        count: { type: number, required: false }
        sure: { type: boolean, default: false }
      timeout: 7d
      on-timeout: reject
      who: [alice, bob]
  release:
    needs: approve
    run: [release, "\${{ tasks.approve.output.version }}", "\${{ tasks.approve.output.level }}"]
    when: tasks.approve.output.level == 'minor' && tasks.approve.result == 'succeeded'
`;

describe('a gate', () => {
  it("shows what the plan says, and outputs its form's values [PLAN-22]", () => {
    const gate = compiled(planOf(whole)).tasks[1];
    expect(gate).toMatchObject({
      name: 'approve',
      kind: 'gate',
      needs: ['build'],
      onFailure: 'skip',
      gate: {
        message: ['Release ', { ref: ['tasks', 'build', 'output', 'size'] }, ' bytes?'],
        shows: [{ kind: 'output', task: 'build' }, { kind: 'diff' }, { kind: 'cost' }],
        form: [
          { name: 'version', type: 'text', label: 'Which one?', options: [], required: true, usual: null },
          { name: 'level', type: 'choice', options: ['minor', '2'], required: true, usual: 'minor' },
          { name: 'count', type: 'number', required: false, usual: null },
          { name: 'sure', type: 'boolean', usual: false },
        ],
        timeoutMs: 604_800_000,
        onTimeout: 'reject',
        who: ['alice', 'bob'],
      },
    });
    expect(gate?.output).toMatchObject({
      properties: {
        version: { type: 'string' },
        level: { enum: ['minor', '2'] },
        count: { type: ['number', 'null'] },
        sure: { type: 'boolean' },
      },
      required: ['version', 'level', 'count', 'sure'],
    });
  });

  it('that is rejected has failed, which other tasks may tolerate [PLAN-22]', () => {
    const run = compiled(planOf(whole));
    expect(run.tasks[2]).toMatchObject({ name: 'release', tolerates: ['approve'] });
  });

  it('takes none of the defaults for work [PLAN-22]', () => {
    const head = 'interlock: strict\ndefaults: { budget: $1, checks: ["true"], on-failure: ask, harness: claude }\n';
    const { plan } = readPlan(`name: x\n${head}tasks:\n  ok: { gate: { message: Go on? } }\n`, 'p');
    if (plan === null) throw new Error('no plan');
    expect(checkPlan(plan, given)).toEqual([]);
    expect(compiled(plan).tasks).toEqual([
      {
        name: 'ok',
        kind: 'gate',
        prompt: ' ',
        needs: [],
        tolerates: [],
        when: null,
        phase: null,
        gate: { message: 'Go on?', shows: [], form: [], timeoutMs: null, onTimeout: 'reject', who: [] },
        output: null,
        onFailure: 'skip',
      },
    ]);
  });

  it('with a setting for work is an error that names it [PLAN-22]', () => {
    expect(
      told(
        '  a: { gate: { message: x }, prompt: y, run: z, harness: claude, checks: [x], retry: {}, writes: [], matrix: [1] }',
      ),
    ).toEqual(
      ['prompt', 'run', 'harness', 'checks', 'retry', 'writes', 'matrix'].map((word) =>
        expect.stringMatching(new RegExp(`^4:\\d+: error: a gate has no "${word}": a person decides`)),
      ),
    );
    expect(told('  a: { gate: { message: x }, on-failure: ask }')).toEqual([
      '4:42: error: a person has decided already when a gate fails\n  write skip, continue or stop',
    ]);
  });

  it('with an invalid form, timeout or list is an error [PLAN-22]', () => {
    const gate = (said: string): string[] => told(`  a: { needs: build, gate: { message: x, ${said} } }`);
    expect(gate('form: { v: { type: choice } }')).toEqual([
      '4:50: error: "v" is a choice without options\n  add "options: [a, b]"',
    ]);
    expect(gate('form: { v: { options: [a] } }')).toEqual(['4:55: error: "v" is no choice\n  write "type: choice"']);
    expect(gate('form: { v: { default: 1.2 } }')).toEqual(['4:64: error: the default does not fit: it must be string']);
    expect(gate('form: { v: { default: "" } }')).toEqual([
      '4:64: error: the default does not fit: it must NOT have fewer than 1 characters',
    ]);
    expect(gate('form: { v: { default: "", required: false } }')).toEqual([]);
    expect(gate('form: { v: { type: date } }')).toEqual([
      '4:61: error: "date" is not known here\n  there is: text, number, boolean, choice',
    ]);
    expect(gate('timeout: 1')).toEqual(['4:51: error: "1" has no unit: write a time, as in 90s, 30m or 2h']);
    expect(gate('timeout: 9999d')).toEqual(['4:51: error: a gate waits at most ten years: 3650d']);
    expect(gate('on-timeout: approve')).toEqual([
      '4:42: error: this gate has no timeout\n  say how long it waits: "timeout: 7d"',
    ]);
    expect(gate('timeout: 1h, on-timeout: approve, form: { v: {} }')).toEqual([
      '4:87: error: it cannot be approved by its timeout: nobody would fill in "v"\n  give it a default, or "required: false"',
    ]);
    expect(gate('show: [logs]')).toEqual([
      '4:49: error: "logs" cannot be shown\n  there are diff, cost, and whole outputs as in tasks.build.output',
    ]);
    expect(gate('show: [tasks.biuld.output]')).toEqual([
      '4:49: error: there is no task "biuld"\n  did you mean "build"?',
    ]);
    expect(gate('wo: bob')).toEqual(['4:42: error: "wo" is not known here\n  did you mean "who"?']);
  });

  it('can be referred to by its form only [PLAN-22]', () => {
    const after = (path: string): string[] =>
      told(
        `  a: { gate: { message: x, form: { v: {} } } }\n  b: { gate: { message: x } }\n  c: { needs: [a, b], run: [x, "\${{ ${path} }}"] }`,
      );
    expect(after('tasks.a.output.v')).toEqual([]);
    expect(after('tasks.a.output.w')).toEqual([
      '6:33: error: "tasks.a.output.w" leads nowhere: of tasks.a.output, it has no "w"\n  did you mean "v"?',
    ]);
    expect(after('tasks.b.output')).toEqual(['6:33: error: the gate "b" has nothing to fill in\n  give it a "form"']);
  });

  it('is drawn, takes no slot, and is passed at once by stubs, with its defaults [PLAN-22] [PLAN-37]', () => {
    const plan = planOf(whole);
    expect(drawGraph(plan, 'text')).toContain('approve  after build  [gate]\n');
    expect(drawGraph(plan, 'mermaid')).toContain('t1{"approve"}\n');
    expect(JSON.parse(drawGraph(plan, 'json')).nodes[1]).toMatchObject({ kind: 'gate', harness: null });
    const { waves } = wavesOf(planOf('  ok: { gate: { message: x } }\n  c: { run: x, needs: ok }\n'), {
      slots: 1,
      inputs: {},
    });
    expect(waves.map(({ tasks }) => tasks.map(({ name, gate }) => [name, gate]))).toEqual([
      [
        ['build', false],
        ['ok', true],
      ],
      [['c', false]],
    ]);
    expect(stubProblems(plan)).toEqual([]);
    const stub = withStubs(compiled(plan), plan).tasks[1];
    expect(stub).toMatchObject({ kind: 'work', gate: null, harness: 'scripted' });
    expect(JSON.parse(stub?.settings?.['script'] ?? '')).toContainEqual({
      output: { version: 'example', level: 'minor', count: 1, sure: false },
    });
  });
});
