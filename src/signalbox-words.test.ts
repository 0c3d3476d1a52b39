// Budgets, failure policy and gates of plans in TypeScript: what they become, and what the compiler says about them: it checks
// every ts-expect-error.
import { expect, it } from 'vitest';
import { readPlan } from './plan/file/read-plan.ts';
import type { Plan } from './plan/plan.ts';
import { readTypedPlan } from './plan/typed/typed-plan.ts';
import { eq, gate, plan, type TypedPlan, task, text, z } from './signalbox.ts';

const build = task('build', { prompt: 'x', output: z.object({ size: z.number() }) });

function same(typed: TypedPlan, file: string): void {
  const bare = (plan: Plan | null | undefined): object => {
    if (plan === null || plan === undefined) throw new Error('no plan');
    const { source: _, ...rest } = plan;
    return rest;
  };
  expect(bare(readTypedPlan(typed, 'x.plan.ts')?.plan)).toEqual(bare(readPlan(file, 'x.plan.yaml').plan));
}

it('limits and policies are those of the file that says the same [PLAN-16]', () => {
  const each = task('each', {
    needs: [build],
    matrix: ['a', 'b'],
    prompt: 'x',
    budget: { usd: 1, tokens: '200k', turns: 5, time: '2h' },
    budgetInAll: '$2',
    onQuota: 'fallback',
    fallback: ['b', 'c'],
    retry: { attempts: 2, how: 'continue' },
    onFailure: 'ask',
    onCrash: 'ask',
    stallMinutes: 5,
    toolStallMinutes: 30,
  });
  const last = task('last', { needs: [each], when: { each: 'at-least-1' }, prompt: 'x' });
  const more = task('more', { needs: [each], when: ({ each }) => eq(each.succeeded, each.total), prompt: 'x' });
  const typed = plan({
    name: 'x',
    defaults: { budget: '$1', fallback: 'b', onFailure: 'stop' },
    limits: { budget: { usd: '$5' }, confirmAbove: { usd: 3 } },
    tasks: [build, each, last, more],
  });
  same(
    typed,
    `name: x
defaults: { budget: $1, fallback: [b], on-failure: stop }
limits: { budget: $5, confirm-above: $3 }
tasks:
  build:
    prompt: x
    output: { type: object, properties: { size: { type: number } }, required: [size], additionalProperties: false }
  each:
    needs: build
    matrix: [a, b]
    prompt: x
    budget: { usd: 1, tokens: 200k, turns: 5, time: 2h }
    budget-in-all: $2
    on-quota: fallback
    fallback: [b, c]
    retry: { attempts: 2, how: continue }
    on-failure: ask
    on-crash: ask
    stall-minutes: 5
    tool-stall-minutes: 30
  last: { needs: each, when: { each: at-least-1 }, prompt: x }
  more: { needs: each, when: tasks.each.succeeded == tasks.each.total, prompt: x }
`,
  );
});

const approve = gate('approve', {
  needs: [build],
  message: ({ build }) => text`Release ${build.output.size} bytes?`,
  show: ({ build }) => [build.output, 'diff', 'cost'],
  form: {
    version: { label: 'Which one?' },
    level: { type: 'choice', options: ['minor', 'major'], default: 'minor' },
    count: { type: 'number', required: false },
  },
  timeout: '7d',
  onTimeout: 'reject',
  who: ['alice'],
  onFailure: 'continue',
});

it('a gate is the gate of the file that says the same [PLAN-16]', () => {
  const release = task('release', {
    needs: [approve],
    when: ({ approve }) => eq(approve.output.level, 'minor'),
    run: ({ approve }) => ['release', approve.output.version],
  });
  same(
    plan({ name: 'x', tasks: [build, approve, release] }),
    `name: x
tasks:
  build:
    prompt: x
    output: { type: object, properties: { size: { type: number } }, required: [size], additionalProperties: false }
  approve:
    needs: build
    on-failure: continue
    gate:
      message: "Release \${{ tasks.build.output.size }} bytes?"
      show: [tasks.build.output, diff, cost]
      form:
        version: { label: Which one? }
        level: { type: choice, options: [minor, major], default: minor }
        count: { type: number, required: false }
      timeout: 7d
      on-timeout: reject
      who: alice
  release:
    needs: approve
    when: tasks.approve.output.level == 'minor'
    run: [release, "\${{ tasks.approve.output.version }}"]
`,
  );
});

/** Never called: what matters is that tsc reads it. */
export function types(): void {
  const bare = gate('bare', { message: 'Go on?' });
  // @ts-expect-error the form has no such field
  task('a', { needs: [approve], run: ({ approve }) => ['x', approve.output.versoin] });
  // @ts-expect-error that is no option
  task('b', { needs: [approve], when: ({ approve }) => eq(approve.output.level, 'patch'), prompt: 'x' });
  // @ts-expect-error there is nothing to fill in
  task('c', { needs: [bare], prompt: ({ bare }) => text`${bare.output}` });
  // @ts-expect-error a gate has no prompt
  gate('d', { message: 'x', prompt: 'y' });
  // @ts-expect-error a gate has a message
  gate('e', {});
  // @ts-expect-error a choice has options
  gate('f', { message: 'x', form: { a: { type: 'choice' } } });
  // @ts-expect-error not a need
  task('g', { needs: [build], when: { approve: 'all' }, prompt: 'x' });
  // @ts-expect-error a time has a unit
  task('h', { prompt: 'x', budget: { time: 5 } });
  // @ts-expect-error not money
  task('i', { prompt: 'x', budget: '5' });
}
