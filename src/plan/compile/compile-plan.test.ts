import { describe, expect, it } from 'vitest';
import { onlyNames } from '../../model/spending/harness-rules.ts';
import { createRun } from '../../wire/request-schemas.ts';
import { readPlan } from '../file/read-plan.ts';
import type { Role } from '../role.ts';
import { type CompiledRun, compilePlan } from './compile-plan.ts';

const harnesses = { ...onlyNames(), heedsTools: (harness: string): boolean => harness === 'claude' };

const reviewer: Role = {
  name: 'reviewer',
  description: '',
  tools: ['Read', 'Grep'],
  model: 'small',
  prompt: 'Be strict.\n',
  file: 'f',
};

const agent = { harness: 'claude', model: undefined, effort: undefined };

function compiled(tasks: string, head = '', inputs: Record<string, string> = {}): CompiledRun {
  const { plan, problems } = readPlan(`name: x\n${head}tasks:\n${tasks}`, 'p');
  expect(problems).toEqual([]);
  if (plan === null) throw new Error('no plan');
  const thrifty: Role = { ...reviewer, name: 'thrifty', fallback: ['tiny'] };
  const careful: Role = { ...reviewer, name: 'careful', context: 'handoff', contextThreshold: 60 };
  const roles = new Map([reviewer, thrifty, careful].map((role) => [role.name, role]));
  const run = compilePlan(plan, { inputs, roles, harnesses, agent });
  // The daemon accepts whatever is compiled.
  createRun.parse({ ...run, id: `run_${'0'.repeat(26)}`, repo: { path: '/x' } });
  return run;
}

const task = (run: CompiledRun, name: string) => run.tasks.find((each) => each.name === name);

describe('a task', () => {
  it('keeps its own settings, and takes defaults for the rest [PLAN-9]', () => {
    const head = `defaults:
  harness: claude
  model: big
  effort: high
  timeout-minutes: 10
  sandbox: none
  env: { A: a, B: b }
  retry: { attempts: 3, delay-seconds: 10 }
  checks: [npm test]
  permissions: { deny: [Bash] }
limits: { max-parallel: 4, per-harness: { claude: 2 } }
`;
    const run = compiled(
      `  a: { prompt: x }
  b:
    prompt: y
    harness: scripted
    model: other
    timeout-minutes: 0.5
    env: { B: c }
    retry: { attempts: 1, conflicts: 0 }
    checks: [{ name: lint, run: [npm, run, lint], timeout-minutes: 1 }]
    priority: 5
    on-failure: stop
    reads: docs
    writes: [src/**]
`,
      head,
    );
    expect(run).toMatchObject({ name: 'x', parallelMax: 4, harnessMax: { claude: 2 } });
    expect(task(run, 'a')).toMatchObject({
      prompt: 'x',
      harness: 'claude',
      settings: { model: 'big', effort: 'high' },
      timeoutMs: 600_000,
      sandbox: 'none',
      env: { A: 'a', B: 'b' },
      attemptsMax: 3,
      retryDelayMs: 10_000,
      checks: [{ name: 'npm-test', argv: ['sh', '-c', 'npm test'] }],
      permissions: { allow: [], ask: [], deny: ['Bash'] },
      onFailure: 'skip',
      writes: null,
    });
    expect(task(run, 'b')).toMatchObject({
      harness: 'scripted',
      settings: { model: 'other', effort: 'high' },
      timeoutMs: 30_000,
      env: { A: 'a', B: 'c' },
      attemptsMax: 1,
      retryDelayMs: 10_000,
      conflictsMax: 0,
      checks: [{ name: 'lint', argv: ['npm', 'run', 'lint'], timeoutMs: 60_000 }],
      priority: 5,
      onFailure: 'stop',
      reads: ['docs'],
      writes: ['src/**'],
    });
  });

  it('sets how often its work is sent back, and the checks of the branch [PLAN-27]', () => {
    const head = `landing: { checks: [npm test, { name: lint, run: [npm, run, lint], timeout-minutes: 1 }] }
defaults: { retry: { send-backs: 1 }, on-conflict: fail }
`;
    const run = compiled('  a: { prompt: x }\n  b: { prompt: x, retry: { send-backs: 0 }, on-conflict: ask }\n', head);
    expect(task(run, 'a')).toMatchObject({ sendBacksMax: 1, onConflict: 'fail' });
    expect(task(run, 'b')).toMatchObject({ sendBacksMax: 0, onConflict: 'ask' });
    expect(run.integration).toEqual({
      checks: [
        { name: 'npm-test', argv: ['sh', '-c', 'npm test'] },
        { name: 'lint', argv: ['npm', 'run', 'lint'], timeoutMs: 60_000 },
      ],
    });
    expect(compiled('  a: { prompt: x }\n').integration).toBeUndefined();
  });

  it('sets the branch it lands in [LAND-18]', () => {
    expect(compiled('  a: { prompt: x }\n', 'landing: { into: main }\n')).toMatchObject({
      into: 'main',
      moveCheckout: false,
    });
    expect(compiled('  a: { prompt: x }\n', 'landing: { into: next, checkout: true }\n')).toMatchObject({
      into: 'next',
      moveCheckout: true,
    });
    expect(compiled('  a: { prompt: x }\n').into).toBeUndefined();
  });

  it('may have checks that are retried when they fail [CHECK-9]', () => {
    const run = compiled('  a: { prompt: x, checks: [npm test, { run: npm run e2e, retries: 1 }] }\n');
    expect(task(run, 'a')?.checks).toEqual([
      { name: 'npm-test', argv: ['sh', '-c', 'npm test'] },
      { name: 'npm-run-e2e', argv: ['sh', '-c', 'npm run e2e'], retries: 1 },
    ]);
    for (const retries of ['6', '-1', '0.5', 'often']) {
      const { problems } = readPlan(
        `name: x\ntasks:\n  a: { prompt: x, checks: [{ run: x, retries: ${retries} }] }\n`,
        'x',
      );
      expect(problems, retries).toMatchObject([{ severity: 'error' }]);
    }
  });

  it('sets what happens when a context window fills up, by itself, by its role, or for all [HAND-15]', () => {
    const tasks = ['own: { prompt: x, context: fail }', 'role: { prompt: x, role: careful }', 'all: { prompt: x }'];
    const head = 'defaults: { context-threshold: 70 }\n';
    const run = compiled(tasks.map((line) => `  ${line}\n`).join(''), head);
    expect(task(run, 'own')?.context).toEqual({ how: 'fail', percent: 70 });
    expect(task(run, 'role')?.context).toEqual({ how: 'handoff', percent: 60 });
    expect(task(run, 'all')?.context).toEqual({ how: 'compact', percent: 70 });
    expect(task(compiled('  a: { prompt: x }\n'), 'a')).not.toHaveProperty('context');
    for (const wrong of ['context: later', 'context-threshold: 0', 'context-threshold: 101']) {
      const { problems } = readPlan(`name: x\ntasks:\n  a: { prompt: x, ${wrong} }\n`, 'x');
      expect(problems, wrong).toMatchObject([{ severity: 'error' }]);
    }
  });

  it('may leave how a further attempt starts to the rule [HAND-9]', () => {
    expect(task(compiled('  a: { prompt: x, retry: { how: auto } }\n'), 'a')?.retryHow).toBe('auto');
  });

  it("with a role has the role's prompt before its own, its model and its tools [PLAN-9]", () => {
    const run = compiled(
      '  a: { prompt: "Look at ${{ run.name }}", role: reviewer, harness: claude }\n  b: { prompt: x, role: reviewer, model: own }\n',
      'defaults: { model: big }\n',
    );
    expect(task(run, 'a')).toMatchObject({
      prompt: ['Be strict.\n\n---\n\n', 'Look at ', { ref: ['run', 'name'] }],
      settings: { model: 'small', builtInTools: 'Read,Grep' },
      role: 'reviewer',
    });
    expect(task(run, 'b')).toMatchObject({ prompt: 'Be strict.\n\n---\n\nx', settings: { model: 'own' } });
  });

  it('tolerates the failure of needs that may fail, or whose result its condition asks for [PLAN-9]', () => {
    const run = compiled(`  a: { run: x, on-failure: continue }
  b: { run: x }
  c: { run: x }
  d: { run: x, needs: [a, b, c], when: "tasks.b.result == 'failed'" }
`);
    expect(task(run, 'd')).toMatchObject({ needs: ['a', 'b', 'c'], tolerates: ['a', 'b'] });
    expect(task(run, 'a')).toMatchObject({ onFailure: 'skip' });
  });
});

describe('limits', () => {
  it('of a task are its own, else the defaults [PLAN-20]', () => {
    const head = `defaults: { budget: { usd: 1, time: 1h }, budget-in-all: $9, retry: { how: continue } }
limits: { budget: { usd: 5, tokens: 2M, turns: 500, time: 2h, agents: 48 } }
`;
    const run = compiled(
      `  a: { prompt: x, budget: { usd: $0.25, turns: 7 } }
  b: { prompt: x, matrix: [1, 2], budget-in-all: { tokens: 10k } }
  c: { run: x }
  d: { prompt: x, retry: { how: fresh } }
`,
      head,
    );
    expect(run.budget).toEqual({ microUsd: 5_000_000, tokens: 2_000_000, turns: 500, timeMs: 7_200_000, agents: 48 });
    expect(task(run, 'a')).toMatchObject({
      budget: { microUsd: 250_000, turns: 7, timeMs: 3_600_000 },
      treeBudget: null,
    });
    expect(task(run, 'b')).toMatchObject({
      budget: { microUsd: 1_000_000, timeMs: 3_600_000 },
      treeBudget: { microUsd: 9_000_000, tokens: 10_000 },
      retryHow: 'continue',
    });
    expect(task(run, 'c')?.budget).toEqual({ timeMs: 3_600_000 });
    expect(task(run, 'd')).toMatchObject({ retryHow: 'fresh' });
  });

  it('of an account are waited for, unless a task, its role or the plan names fallback models [PLAN-21]', () => {
    const quota = (said: string, head = '') => {
      const { onQuota, fallback } = task(compiled(`  a: { prompt: x${said} }\n`, head), 'a') ?? {};
      return [onQuota, fallback];
    };
    expect(quota('')).toEqual(['wait', []]);
    expect(quota(', fallback: b')).toEqual(['fallback', ['b']]);
    expect(quota(', fallback: [b, c], on-quota: stop')).toEqual(['stop', ['b', 'c']]);
    expect(quota(', role: thrifty')).toEqual(['fallback', ['tiny']]);
    expect(quota(', role: thrifty', 'defaults: { fallback: b }\n')).toEqual(['fallback', ['tiny']]);
    expect(quota('', 'defaults: { fallback: b }\n')).toEqual(['fallback', ['b']]);
    expect(quota(', role: thrifty', 'defaults: { on-quota: wait }\n')).toEqual(['wait', ['tiny']]);
    expect(quota(', fallback: c', 'defaults: { on-quota: wait }\n')).toEqual(['fallback', ['c']]);
  });

  it('and what follows a failure, a crash or silence are set for a task or for all [PLAN-21]', () => {
    const head = 'defaults: { on-failure: ask, on-crash: ask, stall-minutes: 5, tool-stall-minutes: 30 }\n';
    const run = compiled(
      '  a: { prompt: x }\n  b: { prompt: x, on-failure: continue, on-crash: go-on, stall-minutes: 1 }\n  c: { run: x, needs: b }\n',
      head,
    );
    expect(task(run, 'a')).toMatchObject({
      onFailure: 'ask',
      onCrash: 'ask',
      caps: { stallMs: 300_000, toolStallMs: 1_800_000 },
    });
    expect(task(run, 'b')).toMatchObject({ onFailure: 'skip', onCrash: 'goOn', caps: { stallMs: 60_000 } });
    expect(task(run, 'c')).toMatchObject({ tolerates: ['b'] });
  });
});

describe('when as a mapping', () => {
  const three = '  a: { run: x, matrix: [1, 2] }\n  b: { run: x }\n  c: { run: x }\n';

  it('makes needs of the named tasks, which only have to have ended, and checks their counts [PLAN-19]', () => {
    const run = compiled(`${three}  d: { run: x, needs: b, when: { a: at-least-1, b: all, c: any-outcome } }\n`);
    const asked = (name: string, what: string) => ({ op: 'ref', ref: ['tasks', name, what] });
    expect(task(run, 'd')).toMatchObject({
      needs: ['b', 'a', 'c'],
      tolerates: ['b', 'a', 'c'],
      when: {
        op: '&&',
        left: {
          op: '&&',
          left: asked('a', 'succeeded'),
          right: { op: '==', left: asked('b', 'result'), right: { op: 'value', value: 'succeeded' } },
        },
        right: asked('c', 'result'),
      },
    });
  });

  it('leaves other needs as they are [PLAN-19]', () => {
    const run = compiled(`${three}  d: { run: x, needs: [b, c], when: { b: any-outcome } }\n`);
    expect(task(run, 'd')).toMatchObject({ needs: ['b', 'c'], tolerates: ['b'] });
  });

  it('means the same as counts in a condition [PLAN-19]', () => {
    const run = compiled(`${three}  d: { run: x, needs: a, when: tasks.a.succeeded == tasks.a.total }\n`);
    expect(task(run, 'd')).toMatchObject({ tolerates: ['a'], when: { op: '==' } });
  });
});

describe('values', () => {
  it('of inputs are filled in, and values known only in the run stay references [PLAN-9]', () => {
    const head =
      'inputs: { module: { default: core }, deep: { type: boolean, default: false }, files: { type: json, default: [a, b] } }\n';
    const tasks = `  a: { prompt: "In \${{ inputs.module }}, \${{ inputs.files.length }} files", when: "inputs.deep == true" }
  b: { run: x, matrix: "\${{ inputs.files }}" }
  c: { run: x, matrix: [{ m: "\${{ inputs.module }}", all: "\${{ inputs.files }}", text: "<\${{ inputs.module }}>" }] }
`;
    const run = compiled(tasks, head, { module: 'api', deep: 'true' });
    expect(task(run, 'a')).toMatchObject({
      prompt: 'In api, 2 files',
      when: { op: '==', left: { op: 'value', value: true } },
    });
    expect(task(run, 'b')).toMatchObject({ kind: 'matrix', items: ['a', 'b'] });
    expect(task(run, 'c')).toMatchObject({ items: [{ m: 'api', all: ['a', 'b'], text: '<api>' }] });
    expect(() => compiled(tasks, head, { files: '[]' })).toThrow(
      'takes a list of 1 to 10000 items, and its input is a list of 0',
    );
    expect(() => compiled(tasks, head, { files: '{}' })).toThrow('its input is no list');
  });

  it('of an input that was not given are refused', () => {
    expect(() => compiled('  a: { prompt: "${{ inputs.m }}" }\n', 'inputs: { m: {} }\n')).toThrow(
      'the input "m" has no value',
    );
  });

  it('go to commands by environment and never into shell text [PLAN-6]', () => {
    const run = compiled(
      '  a: { matrix: [1], run: [grep, "${{ matrix }}", "it\'s", "${{ matrix }}/x"] }\n  b: { run: "echo $A", env: { A: "${{ run.id }}" } }\n  c: { run: [a, "$(b)"] }\n',
    );
    expect(task(run, 'a')).toMatchObject({
      harness: 'command',
      env: { SIGNALBOX_ARG_1: [{ ref: ['matrix'] }], SIGNALBOX_ARG_3: [{ ref: ['matrix'] }, '/x'] },
    });
    expect(JSON.parse(task(run, 'a')?.settings?.['argv'] ?? '')).toEqual([
      'sh',
      '-c',
      'exec "${1}" "$SIGNALBOX_ARG_1" "${2}" "$SIGNALBOX_ARG_3"',
      'sh',
      'grep',
      "it's",
    ]);
    expect(task(run, 'b')).toMatchObject({
      settings: { argv: '["sh","-c","echo $A"]' },
      env: { A: [{ ref: ['run', 'id'] }] },
    });
    expect(task(run, 'c')).toMatchObject({ settings: { argv: '["a","$(b)"]' } });
  });
});

describe('phases', () => {
  it('become milestones that the next phase waits for [PLAN-10]', () => {
    const run = compiled(`  look: { prompt: x, phase: research }
  also: { prompt: x, phase: research }
  sum: { prompt: x, phase: synthesis }
  write: { prompt: x, phase: implementation }
  more: { prompt: x, phase: implementation, needs: write }
  free: { prompt: x }
  test: { prompt: x, phase: verification, needs: free }
`);
    expect(run.tasks.map(({ name, kind, needs }) => [name, kind, needs])).toEqual([
      ['look', 'work', []],
      ['also', 'work', []],
      ['sum', 'work', ['phase.research']],
      ['write', 'work', ['phase.synthesis']],
      ['more', 'work', ['write']],
      ['free', 'work', []],
      ['test', 'work', ['free', 'phase.implementation']],
      ['phase.research', 'milestone', ['look', 'also']],
      ['phase.synthesis', 'milestone', ['sum']],
      ['phase.implementation', 'milestone', ['write', 'more']],
    ]);
    expect(run.tasks.map(({ keeps, accounts }) => [keeps, accounts]).slice(0, 7)).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [true, false],
      [true, false],
      [true, false],
      [false, false],
    ]);
  });

  it("of the plan's own have an exit condition, which decides however their tasks ended [PLAN-10]", () => {
    const head = `phases:
  - name: probe
    exit: "\${{ tasks.a.result == 'succeeded' || tasks.b.result == 'succeeded' }}"
    throw-away: true
  - empty
  - name: build
`;
    const run = compiled(
      '  a: { run: x, phase: probe }\n  b: { run: x, phase: probe }\n  c: { run: x, phase: build }\n',
      head,
    );
    expect(task(run, 'phase.probe')).toMatchObject({
      needs: ['a', 'b'],
      tolerates: ['a', 'b'],
      when: { op: '||' },
      phase: 'probe',
    });
    expect(task(run, 'c')).toMatchObject({ needs: ['phase.probe'], tolerates: [], keeps: true });
    expect(task(run, 'a')).toMatchObject({ keeps: false });
    expect(run.tasks).toHaveLength(4);
  });
});
