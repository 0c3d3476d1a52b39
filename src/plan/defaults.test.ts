import { describe, expect, it } from 'vitest';
import { type ResolvedOptions, resolveOptions } from './defaults.ts';
import { readPlan } from './file/read-plan.ts';
import type { Role, Roles } from './role.ts';

const roles: Roles = new Map([
  [
    'careful',
    { name: 'careful', description: '', tools: null, model: 'of-role', fallback: ['b'], prompt: 'x', file: '' } as Role,
  ],
]);

/** The options of the task `a`. */
function resolved(text: string): ResolvedOptions {
  const { plan, problems } = readPlan(text, 'a.plan.yaml');
  const task = plan?.tasks.find(({ name }) => name === 'a');
  if (plan === null || task === undefined) throw new Error(JSON.stringify(problems));
  return resolveOptions(plan, task, roles);
}

describe('the options that hold for a task', () => {
  it('are its own, then those of its role, then the defaults [PLAN-9]', () => {
    const head =
      'name: x\ndefaults: { model: usual, timeout-minutes: 5, fallback: [c], retry: { attempts: 3, how: auto } }\n';
    const task = (words: string) => resolved(`${head}tasks:\n  a: { prompt: x${words} }\n`);
    expect(task('')).toMatchObject({ model: 'usual', timeoutMinutes: 5, fallback: ['c'], onQuota: 'fallback' });
    expect(task(', role: careful')).toMatchObject({ model: 'of-role', fallback: ['b'], roleName: 'careful' });
    expect(task(', role: careful, model: own, fallback: d')).toMatchObject({ model: 'own', fallback: ['d'] });
    expect(task(', retry: { attempts: 9 }').retry).toMatchObject({ attempts: 9, how: 'auto' });
  });

  it('keep the default limits that a budget of its own does not name [PLAN-9]', () => {
    const head = 'name: x\ndefaults: { budget: { usd: 2, time: 5m } }\n';
    expect(resolved(`${head}tasks:\n  a: { prompt: x, budget: { usd: 1 } }\n`).budget).toEqual({
      microUsd: 1_000_000,
      timeMs: 300_000,
    });
    expect(resolved(`${head}tasks:\n  a: { run: make }\n`).budget).toEqual({ timeMs: 300_000 });
  });

  it('of a command come without what is for agents [PLAN-9]', () => {
    const head =
      'name: x\ndefaults: { harness: claude, model: m, role: careful, effort: high, fallback: c, context: handoff }\n';
    expect(resolved(`${head}tasks:\n  a: { run: make }\n`)).toMatchObject({
      harness: 'command',
      model: null,
      roleName: null,
      role: null,
      effort: null,
      fallback: [],
      onQuota: 'wait',
      context: null,
    });
  });

  it('of a gate are its own alone: by default no person is asked again after it [PLAN-9]', () => {
    const head = 'name: x\ndefaults: { on-failure: ask, timeout-minutes: 5 }\n';
    const gate = resolved(`${head}tasks:\n  a: { gate: { message: Go? } }\n`);
    expect([gate.onFailure, gate.timeoutMinutes]).toEqual(['skip', null]);
  });
});
