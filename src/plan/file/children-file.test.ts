import { describe, expect, it } from 'vitest';
import { childLimitRanges, childrenWords, usualChildLimits } from '../../model/core/child-limits.ts';
import { createRun } from '../../wire/request-schemas.ts';
import { compilePlan } from '../compile/compile-plan.ts';
import { plan, readTypedPlan } from '../typed/typed-plan.ts';
import { task } from '../typed/typed-task.ts';
import { childrenFile } from './children-file.ts';
import { problemText } from './problem.ts';
import { readPlan } from './read-plan.ts';

const asked = {
  id: `run_${'0'.repeat(26)}`,
  name: 'x',
  repo: { path: '/x' },
  tasks: [{ name: 'a', prompt: 'x', harness: 'claude' }],
};

describe("a plan's limits for agents that spawn agents", () => {
  it('become the limits of the run, each with its own setting, also in TypeScript [CHILD-81]', () => {
    const words = `depth: 2, children: 3, in-all: 4, spawns-per-minute: 5, messages-per-minute: 6, mailbox: 7,
    mailbox-characters: 100000, hops: 8, teams: 9, team-items: 10, team-characters: 2000, idle-seconds: 0.5, shutdown-seconds: 3`;
    const read = readPlan(`name: x\nlimits:\n  agents: { ${words} }\ntasks:\n  a: { prompt: x }\n`, 'p');
    const agents = {
      depth: 2,
      children: 3,
      inAll: 4,
      spawnsPerMinute: 5,
      messagesPerMinute: 6,
      mailbox: 7,
      mailboxCharacters: 100_000,
      hops: 8,
      teams: 9,
      teamItems: 10,
      teamCharacters: 2_000,
      idleSeconds: 0.5,
      shutdownSeconds: 3,
    };
    const typed = readTypedPlan(plan({ name: 'x', limits: { agents }, tasks: [task('a', { prompt: 'x' })] }), 'p');
    for (const each of [read, typed]) {
      expect(each?.problems).toEqual([]);
      const { children } = compilePlan(each?.plan as never, { inputs: {}, roles: new Map() });
      expect(children).toEqual({
        depthMax: 2,
        childrenMax: 3,
        agentsMax: 4,
        spawnsPerMinute: 5,
        messagesPerMinute: 6,
        mailboxMax: 7,
        mailboxCharsMax: 100_000,
        hopsMax: 8,
        teamsMax: 9,
        teamItemsMax: 10,
        teamCharsMax: 2_000,
        idleMs: 500,
        shutdownMs: 3_000,
      });
      expect(createRun.parse({ ...asked, children }).children).toEqual(children);
    }
    expect(Object.keys(childrenFile.shape)).toEqual(Object.values(childrenWords));
  });

  it("are refused when out of range or misspelt, with their place; so are a client's [CHILD-81]", () => {
    const told = (agents: string): string[] => {
      const { problems } = readPlan(`name: x\nlimits: { agents: { ${agents} } }\ntasks:\n  a: { prompt: x }\n`, 'p');
      return problems.map(problemText);
    };
    expect(told('depth: 21')).toEqual([expect.stringMatching(/^p:2:\d+: error: .*20/)]);
    expect(told('in-all: 0')).toEqual([expect.stringMatching(/^p:2:\d+: error: .*1/)]);
    expect(told('dept: 2')).toEqual([expect.stringMatching(/^p:2:\d+: error: .*"dept".*\n.*"depth"/s)]);
    for (const [limit, { min, max }] of Object.entries(childLimitRanges)) {
      const fits = (value: number): boolean => createRun.safeParse({ ...asked, children: { [limit]: value } }).success;
      expect([min - 1, min, max, max + 1].map(fits), limit).toEqual([false, true, true, false]);
      const usual = usualChildLimits[limit as keyof typeof usualChildLimits];
      expect(usual >= min && usual <= max, limit).toBe(true);
    }
  });
});
