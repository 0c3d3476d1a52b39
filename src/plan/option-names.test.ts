import { expect, it } from 'vitest';
import { compilePlan } from './compile/compile-plan.ts';
import { readPlan } from './file/read-plan.ts';
import { requestOptions } from './option-names.ts';

it('an option that plan and request have under one name needs no line in reader, compiler and TypeScript [PLAN-1]', () => {
  expect([...requestOptions].sort()).toEqual([
    'budget',
    'checks',
    'context',
    'env',
    'fallback',
    'harness',
    'onConflict',
    'onCrash',
    'onFailure',
    'onQuota',
    'permissions',
    'phase',
    'priority',
    'role',
    'sandbox',
    'setup',
  ]);
});

it('such options reach the request as they are, and those that are not set are left out', () => {
  const set = 'sandbox: none, on-conflict: fail, on-quota: stop, priority: 7, setup: npm ci';
  const { plan } = readPlan(`name: p\ntasks:\n  a: { prompt: do it, ${set} }\n  b: { prompt: do it }\n`, 'p.yaml');
  if (plan === null) throw new Error('it is a plan');
  const [a, b] = compilePlan(plan, { inputs: {}, roles: new Map() }).tasks;
  expect(a).toMatchObject({ sandbox: 'none', onConflict: 'fail', onQuota: 'stop', priority: 7, setup: 'npm ci' });
  for (const name of ['sandbox', 'onConflict', 'priority', 'setup']) expect(b).not.toHaveProperty(name);
});
