// Every option of `run` has a meaning together with --plan: the list is that of the command line itself.

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { PlanFile } from '../../plan/file/plan-file.ts';
import { readPlan } from '../../plan/file/read-plan.ts';
import { addRun } from '../options/verbs-run.ts';
import { optionWord } from './plan-arguments.ts';
import { plannedOptions, refuseOptions, withPersonsWords } from './planner-options.ts';
import type { RunOptions } from './run.ts';

type Name = keyof RunOptions;

function runOptions(): Name[] {
  const program = new Command();
  addRun(program, () => async () => {});
  return (program.commands[0]?.options ?? []).map((option) => option.attributeName() as Name);
}

/** A value for each option that is written into the plan, and where it appears there. */
const written: Partial<Record<Name, { readonly value: unknown; readonly at: object; readonly top?: object }>> = {
  harness: { value: 'claude', at: { harness: 'claude' } },
  model: { value: 'haiku', at: { model: 'haiku' } },
  effort: { value: 'low', at: { effort: 'low' } },
  set: { value: ['turnsMax=3'], at: { settings: { turnsMax: '3' } } },
  sandbox: { value: 'none', at: {}, top: { defaults: { sandbox: 'none' } } },
  allow: { value: ['Read'], at: { permissions: { allow: ['Read'], ask: [], deny: ['Bash(rm:*)'] } } },
  ask: { value: ['Edit'], at: { permissions: { allow: [], ask: ['Edit'], deny: ['Bash(rm:*)'] } } },
  deny: { value: ['WebFetch'], at: { permissions: { allow: [], ask: [], deny: ['Bash(rm:*)', 'WebFetch'] } } },
  retries: { value: 2, at: { retry: { attempts: 3, conflicts: 1 } } },
  retryHow: { value: 'continue', at: { retry: { attempts: 9, conflicts: 1, how: 'continue' } } },
  sendBacks: { value: 0, at: { retry: { attempts: 9, conflicts: 1, 'send-backs': 0 } } },
  conflicts: { value: 5, at: { retry: { attempts: 9, conflicts: 5 } } },
  mcp: { value: ['github'], at: { mcp: ['github'] } },
  onConflict: { value: 'fail', at: { 'on-conflict': 'fail' } },
  timeout: { value: 90, at: { 'timeout-minutes': 1.5 } },
  stall: { value: 120, at: { 'stall-minutes': 2 } },
  toolStall: { value: 180, at: { 'tool-stall-minutes': 3 } },
  check: {
    value: ['npm test'],
    at: { checks: ['make', 'npm test'] },
    top: { landing: { checks: ['all', 'npm test'] } },
  },
  into: { value: 'main', at: {}, top: { landing: { into: 'main' } } },
  checkout: { value: true, at: {}, top: { landing: { checkout: true } } },
  commits: { value: 'merge', at: {}, top: { landing: { commits: 'merge' } } },
  coAuthor: { value: 'none', at: {}, top: { landing: { 'co-author': 'none' } } },
};

const planned: PlanFile = {
  name: 'x',
  landing: { checks: ['all'], into: 'release', checkout: true },
  defaults: { sandbox: 'none', checks: ['make'], permissions: { deny: ['Bash(rm:*)'] } },
  tasks: {
    work: {
      prompt: 'work',
      model: 'opus',
      sandbox: 'none',
      retry: { attempts: 9, conflicts: 1 },
      'timeout-minutes': 600,
    },
    look: { prompt: 'look', phase: 'research' },
    read: { prompt: 'read', writes: [] },
    build: { run: 'make', sandbox: 'none' },
    ask: { gate: { message: 'go?' } },
  },
};

const usual: RunOptions = { retries: 0 };

describe('run --plan', () => {
  it('knows what every option of run means [PLANNER-3]', () => {
    expect(Object.keys(plannedOptions).sort()).toEqual(runOptions().sort());
    const told = runOptions().filter((name) => plannedOptions[name] === 'plan' || plannedOptions[name] === 'both');
    const elsewhere = [
      'base',
      'env',
      'maxUsd',
      'maxTokens',
      'maxTurns',
      'maxTime',
      'maxAgents',
      'depth',
      'agentsInAll',
    ];
    expect(Object.keys(written).sort()).toEqual(told.filter((name) => !elsewhere.includes(name)).sort());
  });

  it('refuses options that do not apply, and says what to do [PLANNER-3]', () => {
    const refused = runOptions().filter((name) => typeof plannedOptions[name] === 'object');
    expect(refused).toEqual(expect.arrayContaining(['dryRun', 'input', 'writes', 'needs', 'argv', 'memoryMax']));
    for (const name of refused) {
      expect(() => refuseOptions({ ...usual, [name]: true })).toThrow(`${optionWord(name)} is not for --plan: `);
    }
    for (const name of runOptions().filter((each) => !refused.includes(each) && each !== 'checkout')) {
      expect(() => refuseOptions({ ...usual, [name]: 1 })).not.toThrow();
    }
    expect(() => refuseOptions({ ...usual, checkout: true })).toThrow('--checkout is for a branch');
  });

  it.each(Object.entries(written))(
    "writes --%s into the plan, before the planner's settings [PLANNER-3]",
    (name, each) => {
      const plan = withPersonsWords(planned, { ...usual, [name]: each.value });
      expect(plan.tasks['work']).toMatchObject(each.at);
      if (each.top !== undefined) expect(plan).toMatchObject(each.top);
      expect(readPlan(JSON.stringify(plan), 'x.plan.yaml').problems).toEqual([]);
    },
  );

  it('runs checks only on tasks that keep their work [PLANNER-3]', () => {
    const { tasks } = withPersonsWords(planned, { ...usual, check: ['npm test'] });
    expect(tasks['look']?.checks).toEqual(['make']);
    expect(tasks['read']?.checks).toEqual(['make']);
    expect(tasks['ask']).toEqual({ gate: { message: 'go?' } });
  });

  it("drops the planner's choice of branch and sandbox [PLANNER-4]", () => {
    const { landing, defaults, tasks } = withPersonsWords(planned, usual);
    expect(landing).toEqual({ checks: ['all'] });
    expect(JSON.stringify({ defaults, tasks })).not.toContain('sandbox');
  });
});
