import { describe, expect, it } from 'vitest';
import { onlyNames } from '../../model/spending/harness-rules.ts';
import { problemText } from '../file/problem.ts';
import { readPlan } from '../file/read-plan.ts';
import type { Role } from '../role.ts';
import { checkPlan, type Given } from './check-plan.ts';

const role: Role = { name: 'r', description: '', tools: null, model: null, fallback: ['b'], prompt: 'x', file: 'f' };
const given: Given = { inputs: {}, roles: new Map([['r', role]]), harnesses: onlyNames('claude', 'command') };

/** Every problem, without the file's name. The text begins in the second line. */
function told(text: string): string[] {
  const { plan, problems } = readPlan(`name: x\n${text}`, 'p');
  return (plan === null ? problems : checkPlan(plan, given)).map((each) => problemText(each).slice(2));
}

describe('amounts', () => {
  const budget = (said: string): string[] => told(`tasks:\n  a: { prompt: x, budget: ${said} }\n`);

  it('are numbers or words [PLAN-20]', () => {
    for (const said of [
      '{ usd: 5, tokens: 2M, turns: 500, time: 2h, agents: 9 }',
      '{ usd: $0.5, tokens: 200k }',
      '$5',
    ]) {
      expect(budget(said)).toEqual([]);
    }
    expect(told('limits: { budget: $5, confirm-above: { usd: 3 } }\ntasks:\n  a: { prompt: x }\n')).toEqual([]);
  });

  it('that are invalid are reported with their place [PLAN-30]', () => {
    expect(budget('{ usd: -1 }')).toEqual(['3:34: error: "-1" is below zero']);
    expect(budget('{ usd: 1, tokens: 9999999999M }')).toEqual([
      '3:45: error: "9999999999M" is absurd: at most 1,000,000 M',
    ]);
    expect(budget('{ turns: 0 }')).toEqual(['3:36: error: "0" is nothing: leave it out, or write more than zero']);
    expect(budget('{ time: 5 }')).toEqual(['3:35: error: "5" has no unit: write a time, as in 90s, 30m or 2h']);
    expect(budget('{ usd: lots }')).toEqual(['3:34: error: "lots" is no amount: write dollars, as in 5 or $5.50']);
    expect(budget('$-5')).toEqual(['3:27: error: "$-5" is no amount: write dollars, as in 5 or $5.50']);
    expect(budget('{ usd: true }')).toEqual(['3:34: error: this takes an amount, as in 5']);
    expect(budget('{ dollars: 5 }')).toEqual([
      '3:29: error: "dollars" is not known here\n  there is: usd, tokens, turns, time, agents',
    ]);
    expect(budget('{ agents: 0 }')).toEqual(['3:37: error: this must be at least 1']);
    expect(budget('{}')).toEqual(['3:27: error: it names no amount']);
    expect(budget('5')).toEqual([
      '3:27: error: a budget is money, as in $5, or a mapping with "usd", "tokens", "turns", "time" or "agents"',
    ]);
    expect(budget('5 dollars')).toEqual(['3:27: error: an amount by itself is money, as in $5']);
  });

  it('of unknown limits are reported [PLAN-30]', () => {
    expect(told('limits: { buget: $5 }\ntasks:\n  a: { prompt: x }\n')).toEqual([
      '2:11: error: "buget" is not known here\n  did you mean "budget"?',
    ]);
  });
});

describe('budgets', () => {
  it('above the one they are part of are a warning [PLAN-30]', () => {
    const tasks =
      'tasks:\n  a: { prompt: x, budget: $6 }\n  b: { prompt: x, matrix: [1], budget: { usd: 2, turns: 9 }, budget-in-all: $1 }\n';
    expect(told(`limits: { budget: $5, confirm-above: $7 }\n${tasks}`)).toEqual([
      '2:38: warning: nobody will ever be asked: the budget of the run is below this',
      "4:27: warning: this budget can never be reached: the run's is below it",
      '5:47: warning: this budget can never be reached: that of all its tasks is below it',
    ]);
  });

  it('for all tasks together are for a matrix only [PLAN-30]', () => {
    expect(told('tasks:\n  a: { prompt: x, budget-in-all: $5 }\n')).toEqual([
      '3:19: error: "budget-in-all" is for a matrix, and "a" is none\n  write "budget"',
    ]);
    expect(told('defaults: { budget-in-all: $5 }\ntasks:\n  a: { prompt: x }\n')).toEqual([]);
  });

  it('of commands limit time only [PLAN-30]', () => {
    expect(told('tasks:\n  a: { run: x, budget: { time: 1h } }\n')).toEqual([]);
    expect(told('tasks:\n  a: { run: x, budget: { turns: 1 }, on-quota: wait, fallback: b }\n')).toEqual([
      '3:26: error: a command spends nothing but time, so "turns" limits nothing\n  write "time"',
      '3:38: error: "on-quota" is for agents, and this task runs a command',
      '3:54: error: "fallback" is for agents, and this task runs a command',
    ]);
    expect(told('tasks:\n  a: { run: x, retry: { how: continue } }\n')).toEqual([
      '3:30: error: a command has no session to go on with\n  write "fresh"',
    ]);
  });
});

describe('fallback models', () => {
  it('must be named by the task, its role or the plan [PLAN-21]', () => {
    expect(told('tasks:\n  a: { prompt: x, on-quota: fallback }\n')).toEqual([
      '3:29: error: "a" has no models to go on with\n  name them: "fallback: [sonnet]", here, in "defaults" or in the role',
    ]);
    expect(told('defaults: { on-quota: fallback }\ntasks:\n  a: { prompt: x }\n  b: { prompt: x, role: r }\n')).toEqual(
      [
        '2:23: error: "a" has no models to go on with\n  name them: "fallback: [sonnet]", here, in "defaults" or in the role',
      ],
    );
    expect(told('defaults: { fallback: b, on-quota: fallback }\ntasks:\n  a: { prompt: x }\n')).toEqual([]);
  });
});
