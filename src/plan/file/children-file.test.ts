import { describe, expect, it } from 'vitest';
import { crewRanges, crewWords, usualCrew } from '../../model/children/child-limits.ts';
import { createRun } from '../../wire/request-schemas.ts';
import { compilePlan } from '../compile/compile-plan.ts';
import { crewFile } from './children-file.ts';
import { problemText } from './problem.ts';
import { readPlan } from './read-plan.ts';
import { plan, readTypedPlan } from '../typed/typed-plan.ts';
import { task } from '../typed/typed-task.ts';

const asked = { id: `run_${'0'.repeat(26)}`, name: 'x', repo: { path: '/x' }, tasks: [{ name: 'a', prompt: 'x' }] };

describe('what a plan says of the agents that its agents ask for', () => {
  it('becomes the limits of the run, each by a word of its own, also in TypeScript [CREW-81]', () => {
    const words = `depth: 2, children: 3, in-all: 4, spawns-per-minute: 5, mail-per-minute: 6, mailbox: 7,
    mailbox-characters: 100000, hops: 8, teams: 9, team-items: 10, team-characters: 2000, idle-seconds: 0.5, shutdown-seconds: 3`;
    const read = readPlan(`name: x\nlimits:\n  agents: { ${words} }\ntasks:\n  a: { prompt: x }\n`, 'p');
    const agents = {
      depth: 2,
      children: 3,
      inAll: 4,
      spawnsPerMinute: 5,
      mailPerMinute: 6,
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
      const { crew } = compilePlan(each?.plan as never, { inputs: {}, roles: new Map() });
      expect(crew).toEqual({
        depthMax: 2,
        childrenMax: 3,
        agentsMax: 4,
        spawnsPerMinute: 5,
        mailPerMinute: 6,
        mailboxMax: 7,
        mailboxCharsMax: 100_000,
        hopsMax: 8,
        teamsMax: 9,
        teamItemsMax: 10,
        teamCharsMax: 2_000,
        idleMs: 500,
        shutdownMs: 3_000,
      });
      expect(createRun.parse({ ...asked, crew }).crew).toEqual(crew);
    }
    expect(Object.keys(crewFile.shape)).toEqual(Object.values(crewWords));
  });

  it('is refused out of range and misspelt, with its place; so is what a client asks for [CREW-81]', () => {
    const told = (agents: string): string[] => {
      const { problems } = readPlan(`name: x\nlimits: { agents: { ${agents} } }\ntasks:\n  a: { prompt: x }\n`, 'p');
      return problems.map(problemText);
    };
    expect(told('depth: 21')).toEqual([expect.stringMatching(/^p:2:\d+: error: .*20/)]);
    expect(told('in-all: 0')).toEqual([expect.stringMatching(/^p:2:\d+: error: .*1/)]);
    expect(told('dept: 2')).toEqual([expect.stringMatching(/^p:2:\d+: error: .*"dept".*\n.*"depth"/s)]);
    for (const [limit, { min, max }] of Object.entries(crewRanges)) {
      const fits = (value: number): boolean => createRun.safeParse({ ...asked, crew: { [limit]: value } }).success;
      expect([min - 1, min, max, max + 1].map(fits), limit).toEqual([false, true, true, false]);
      const usual = usualCrew[limit as keyof typeof usualCrew];
      expect(usual >= min && usual <= max, limit).toBe(true);
    }
  });
});
