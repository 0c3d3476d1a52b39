// Rules of teams that hold whatever their agents do: exactly one gets each item, and a team always comes to its end.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/core/events.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import { isInput } from '../../src/model/messages/record-queue.ts';
import type { CallRequest } from '../../src/model/tool-calls/call.ts';
import { must } from '../../src/std/assert.ts';
import { call, endStep, plainSpawn, spawn } from './children-story.ts';
import { pickNext } from './pick-next.ts';
import { settle } from './plan-story.ts';
import { type Story, submitted, task } from './story.ts';
import { begin, endTurn, launchedAgain, readInput, tasksCall } from './team-story.ts';

const names = ['ann', 'bob', 'cy', 'dan', 'eve'];

type Pick = <T>(items: readonly T[]) => T;
const picker =
  (r: () => number): Pick =>
  (items) =>
    items[Math.floor(r() * items.length)] as (typeof items)[number];

/** Numbers from 0 to 1 that are the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** The holder of each item, by the events alone; a second holder is an error. */
function holdersOf(events: readonly RunEvent[]): Map<string, string> {
  const holders = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'team.itemClaimed') {
      const item = `${event.team} ${event.n}`;
      expect(holders.has(item), `${item} has one holder`).toBe(false);
      holders.set(item, event.by);
    }
    if (event.type === 'team.itemGivenBack') holders.delete(`${event.team} ${event.n}`);
    if (event.type === 'task.ended') for (const [item, by] of holders) if (by === event.taskId) holders.delete(item);
  }
  return holders;
}

it('of members racing for items exactly one gets each, and the others are told which [TEAM-4]', () => {
  const race = fc.array(fc.record({ who: fc.integer({ min: 0, max: 4 }), n: fc.integer({ min: 0, max: 8 }) }), {
    minLength: 20,
    maxLength: 80,
  });
  fc.assert(
    fc.property(race, fc.integer({ min: 1, max: 8 }), (claims, count) => {
      const story = submitted(task('lead'));
      begin(story, 'lead');
      call(story, 'lead', { tool: 'team_create', name: 'squad', purpose: '' });
      for (const name of names) spawn(story, 'lead', name, { team: 'squad' });
      begin(story, ...names);
      call(story, 'lead', {
        ...tasksCall,
        add: Array.from({ length: count }, (_, i) => ({ title: `t${i + 1}`, text: '', needs: [] })),
      });
      const won = new Map<number, string>();
      for (const { who, n } of claims) {
        const name = names[who] as string;
        const { text, isError } = call(story, name, { tool: 'claim_task', team: 'squad', n: n === 0 ? null : n });
        const got = Number(/item (\d+)/.exec(text)?.[1] ?? 0);
        if (isError) {
          if (n === 0) expect(won.size).toBe(count);
          else expect(text).toContain(n > count ? `no item ${n}` : `held by "${won.get(n)}"`);
        } else if (!text.startsWith('You have it already')) {
          expect(won.has(got)).toBe(false);
          won.set(got, name);
        }
      }
      const holders = holdersOf(story.events);
      expect(holders.size).toBe(won.size);
      for (const [n, name] of won) expect(holders.get(`squad ${n}`)).toBe(story.run.graph.taskByName.get(name));
    }),
    { numRuns: 200 },
  );
});

/** What an agent may think of next; where it makes no sense it is refused. */
function anyRequest(story: Story, pick: Pick, spawned: number): CallRequest {
  const all = [...story.run.graph.taskByName.keys()];
  const n = pick([1, 2, 3, 4]);
  return pick<CallRequest>([
    { ...tasksCall, add: [{ title: 'more', text: '', needs: pick([[], [1], [2, 1]]) }] },
    { ...tasksCall, done: [{ n, result: 'made' }] },
    { ...tasksCall, giveBack: [n] },
    { tool: 'claim_task', team: 'squad', n: pick([null, n]) },
    { tool: 'send_message', to: pick([...all, 'team:squad', 'parent']), text: 'x', type: null },
    { tool: 'send_message', to: 'lead', text: 'x', type: pick(['shutdown-agreed', 'shutdown-refused']) },
    { tool: 'wait', tasks: [pick(all)], mode: pick(['any', 'all']), timeoutMs: pick([null, null, 30_000]) },
    { tool: 'team_delete', team: 'squad', force: pick([true, false, false]) },
    { tool: 'team_create', name: 'sub', purpose: '' },
    { tool: 'claim_task', team: 'sub', n: null },
    { ...tasksCall, team: 'sub', add: [{ title: 'more', text: '', needs: [] }] },
    { tool: 'stop_task', task: pick(all), reason: null },
    { tool: 'claim_paths', paths: [pick(['src/a.ts', 'src/b/**'])] },
    { tool: 'release_paths', paths: [] },
    {
      tool: 'spawn_agent',
      ...plainSpawn,
      name: `n${spawned}`,
      writes: pick([null, ['src/**'], ['src/a.ts']]),
      inputs: pick([[], [pick(all)]]),
      team: pick([null, 'squad', 'sub']),
    },
  ]);
}

/** Plays all agents: each does some of what comes to its mind and ends its turn. Gives how many steps it took. */
function play(story: Story, r: () => number, thoughts: number): number {
  const pick = picker(r);
  const host = { ...emptyHost(), slots: 1_000 };
  let left = thoughts;
  for (let step = 1; step <= stepsMax; step++) {
    settle(story);
    if (story.run.state === 'ended') return step;
    const next = pickNext(host, [story.run], story.now, 'h');
    if (next !== null) {
      story.tell(next.command);
      continue;
    }
    const movable = [...story.run.live.values()].filter((attempt) => {
      const records = story.run.agents.get(attempt.agentId)?.mailbox.records ?? [];
      const {
        state,
        stop,
        turn: { ended: turn },
        parking: { parked },
      } = attempt;
      return parked === null
        ? state !== 'running' || stop !== null || turn === null || records.some(isInput)
        : state !== 'resting';
    });
    if (movable.length === 0) {
      const at = story.pending().wakeAt;
      if (at === null) return stepsMax + 1;
      story.now = Math.max(story.now + 1, at);
      continue;
    }
    const attempt = pick(movable);
    const { name } = must(story.run.tasks.get(attempt.taskId), 'its task').spec;
    if (attempt.state === 'preparing') story.tell({ type: 'prepared', attemptId: attempt.id, path: '/w', base: 'b0' });
    else if (attempt.state === 'launching') launchedAgain(story, name);
    else if (attempt.state === 'running' && attempt.stop === null) {
      readInput(story, name);
      for (let i = 0; i < 3 && left > 0 && attempt.stop === null && r() < 0.7; i++) {
        call(story, name, anyRequest(story, pick, left));
        left -= 1;
      }
      if (attempt.state === 'running') endTurn(story, name);
    } else endStep(story, name);
  }
  return stepsMax + 1;
}

const stepsMax = 3_000;

it('a team ends whatever its agents do, as long as they end their turns [TEAM-8]', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 60 }), (seed, thoughts) => {
      const story = submitted(task('lead'));
      begin(story, 'lead');
      readInput(story, 'lead');
      call(story, 'lead', { tool: 'team_create', name: 'squad', purpose: '' });
      for (const name of names.slice(0, 3)) spawn(story, 'lead', name, { team: 'squad' });
      endTurn(story, 'lead');
      expect(play(story, chance(seed), thoughts)).toBeLessThanOrEqual(stepsMax);
      expect([...story.run.tasks.values()].every(({ state }) => state === 'ended')).toBe(true);
      holdersOf(story.events);
    }),
    { numRuns: 150 },
  );
});
