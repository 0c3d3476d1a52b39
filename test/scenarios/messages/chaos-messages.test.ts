// Messages in a storm: ten agents write to one another while the daemon is killed, and the agents, with and without their
// shims. Every message is delivered, once, in the order of its pair.

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/model/core/events.ts';
import { readEvent } from '../../../src/model/format.ts';
import type { StoredEvent } from '../../../src/ports/journal.ts';
import { submitChildren } from '../children/children-world.ts';
import { amount, type Chance, withChance } from '../crash/storm-chance.ts';
import { endedRun, endProcess } from '../crash/storm-daemon.ts';
import { recordOf, twoFolds, withJournal } from '../crash/storm-record.ts';
import { openWorld, readOr, type World } from '../daemon/daemon-world.ts';
import { type Exchange, exchangeScripts, expectAll, letGo, messagesOf, unlimited } from './messages-world.ts';

let world: World;
beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '12' });
  await world.up();
});
afterEach(() => world.close());

const exchange: Exchange = {
  agents: 10,
  others: 5,
  rounds: amount('CHAOS_ROUNDS', 2, 10),
  repeat: amount('CHAOS_MESSAGES', 8, 20),
};
const kills = amount('CHAOS_KILLS', 8, 60);

it(
  `chaos: ${messagesOf(exchange)} messages, ${kills} kills of daemon and agents: none lost, none doubled, all in order [CHILD-48]`,
  {
    timeout: 900_000,
  },
  () =>
    withChance(async (chance) => {
      const { id } = await submitChildren(world, exchangeScripts(world, exchange), {
        limits: unlimited,
        all: { attemptsMax: 100, retryHow: 'continue', retryDelayMs: 0 },
      });
      await storm(chance, id);
      await world.up();
      await letGo(world, exchange, 600_000);
      expect((await endedRun(world, id, 100_000)).outcome).toBe('succeeded');
      const record = await recordOf(world, id);
      expectAll(world, exchange, record);
      const { loaded, folded } = await twoFolds(world, id);
      expect(loaded).toBe(folded);
      expect((await world.sb(['verify'])).code).toBe(0);
    }),
);

/** Spread over most of the messages, so that there is something to break off at each. */
async function storm(chance: Chance, runId: string): Promise<void> {
  let killed = 0;
  const messages = countMessages(runId);
  const lost = new Map<string, number>();
  while (killed < kills) {
    const by = await messages();
    const sent = [...by.values()].reduce((sum, each) => sum + each, 0);
    if (sent > 0.8 * messagesOf(exchange)) break;
    if (sent < (killed / kills) * 0.7 * messagesOf(exchange)) {
      await delay(chance.between(5, 50));
      continue;
    }
    killed += 1;
    const how = chance.pick(['daemon', 'agent', 'shim'] as const);
    if (how === 'daemon') {
      await world.killDaemon();
      await delay(chance.between(0, 300));
      await world.up();
      continue;
    }
    const agents = agentsHere();
    const victim = agents.length === 0 ? undefined : chance.pick(agents);
    if (victim === undefined) continue;
    const before = lost.get(victim.agent) ?? 0;
    // A process that is lost over and over is not started for ever.
    if (how === 'shim' && before < lostMax) {
      lost.set(victim.agent, before + 1);
      endProcess(shimOf(victim.pid));
      endProcess(victim.pid);
    } else if ((by.get(victim.agent) ?? 0) < diesBefore) endProcess(victim.pid);
  }
  // On a busy machine many messages pass between two kills.
  expect(killed).toBeGreaterThan(kills / 4);
}

const lostMax = 3;

function agentsHere(): { readonly pid: number; readonly agent: string }[] {
  return world.agents().flatMap(({ pid }) => {
    const agent = /(?:^|\0)SIGNALBOX_AGENT=([^\0]+)/.exec(readOr(`/proc/${pid}/environ`))?.[1];
    return agent === undefined ? [] : [{ pid, agent }];
  });
}

/** An agent that has asked a person and dies in a turn gets another attempt, which asks no person: it would end too early. */
const diesBefore = (0.7 * messagesOf(exchange)) / exchange.agents;

/** How many messages each agent has sent; reads only new events. */
function countMessages(runId: string): () => Promise<ReadonlyMap<string, number>> {
  const by = new Map<string, number>();
  let seq = 0;
  const count = (page: readonly StoredEvent[]): void => {
    for (const stored of page) {
      const event = readEvent<RunEvent>(stored, stored.at);
      if (event.type !== 'message.sent' || event.message.from === undefined) continue;
      by.set(event.message.from, (by.get(event.message.from) ?? 0) + 1);
    }
  };
  return () =>
    withJournal(world, async (journal) => {
      for (;;) {
        const page = await journal.read(runId, seq, 1_000);
        if (page.length === 0) return by;
        count(page);
        seq += page.length;
      }
    });
}

/** The nearest process above it that is a shim; itself, where there is none any more. */
function shimOf(pid: number): number {
  for (let at = pid; at > 1; ) {
    if (/^\S*sh \S*shim\.sh/.test(readOr(`/proc/${at}/cmdline`).replaceAll('\0', ' '))) return at;
    at = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readOr(`/proc/${at}/stat`))?.[1] ?? 0);
  }
  return pid;
}
