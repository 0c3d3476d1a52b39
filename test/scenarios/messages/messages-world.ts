// Agents that write to one another by the thousand, and what each of them read, by its own account.

import { expect } from 'vitest';
import { until } from '../../until.ts';
import { call, type Step } from '../children/children-world.ts';
import type { Record } from '../crash/storm-record.ts';
import { readOr, type World } from '../daemon/daemon-world.ts';
import { ask } from '../spending/limits-world.ts';
import { questionsOf } from '../world/inbox-world.ts';

/** So that nothing but the exchange itself is looked at. */
export const unlimited = {
  messagesPerMinute: 10_000,
  hopsMax: 1_000,
  mailboxMax: 100_000,
  mailboxCharsMax: 100_000_000,
};

export interface Exchange {
  readonly agents: number;
  /** How many of the others each writes to, in how many rounds, and how often in each. */
  readonly others: number;
  readonly rounds: number;
  readonly repeat: number;
  readonly dieOf?: number;
}

export function messagesOf({ agents, others, rounds, repeat }: Exchange): number {
  return agents * others * rounds * repeat;
}

const nameOf = (i: number, { agents }: Exchange): string => `a${i % agents}`;
const heardBy = (name: string): string => `heard-${name}`;

/** Each writes all of its messages and then asks a person, so that it is there until all have arrived. */
export function exchangeScripts(world: World, exchange: Exchange): { [name: string]: Step[] } {
  const { agents, others, rounds, repeat, dieOf } = exchange;
  const script = (i: number): Step[] => {
    const me = nameOf(i, exchange);
    const sends = Array.from({ length: rounds * others }, (_, at): Step[] => {
      const [to, round] = [nameOf(i + 1 + (at % others), exchange), Math.floor(at / others)];
      const { call: given } = call('send_message', { to, text: `${me} to ${to}: ${round}.{n}` });
      // Other work in between: messages that only answer messages are a loop.
      return [{ tool: { name: 'Read' } }, { call: { ...(given as object), repeat } }];
    });
    const path = world.path(heardBy(me));
    const keep = { path, ...(dieOf === undefined ? {} : { dieOf }) };
    // An agent that dies in the turn in which it asked gets another attempt, which does not ask again: it would end too early.
    return [{ keep }, ...sends.flat(), { keep: { path } }, call('ask_person', { question: 'Has everything arrived?' })];
  };
  return Object.fromEntries(Array.from({ length: agents }, (_, i) => [nameOf(i, exchange), script(i)]));
}

export interface Heard {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly uuid: string;
}

const message =
  /<agent-message from="([^"]+)" trust="agent" id="(message_\d+)"[^>]*>\nText of an agent[^\n]*\n> ([^\n]*)\n<\/agent-message>/g;

/**
 * The messages that an agent read, in order. One that was killed while it kept a message kept it twice, under the same uuid.
 */
export function heard(world: World, name: string): Heard[] {
  const seen = new Set<string>();
  return readOr(world.path(heardBy(name)))
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as { uuid: string; text: string })
    .filter(({ uuid }) => !seen.has(uuid) && seen.add(uuid))
    .flatMap(({ uuid, text }) =>
      [...text.matchAll(message)].map(([, from = '', id = '', said = '']) => ({ uuid, from, id, text: said })),
    );
}

/** Waits until all messages are read and all agents ask, and answers them. */
export async function letGo(world: World, exchange: Exchange, timeoutMs: number): Promise<void> {
  const names = Array.from({ length: exchange.agents }, (_, i) => nameOf(i, exchange));
  const got = (): number => names.reduce((sum, name) => sum + new Set(heard(world, name).map(({ id }) => id)).size, 0);
  let last = -1;
  await until(() => (last = got()) === messagesOf(exchange), {
    timeoutMs,
    what: `all ${messagesOf(exchange)} messages to arrive; there are more than ${Math.max(0, last)}`,
  });
  const asked = async () => {
    const questions = await questionsOf(world);
    return questions.length === exchange.agents && questions;
  };
  const questions = await until(asked, { timeoutMs: 60_000, what: 'all to ask' });
  for (const { id } of questions) {
    const answer = await ask(world, 'POST', `/asks/${id}`, { approved: true, by: 'ada' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
}

/** Nothing lost, nothing doubled, and in order from each to each. */
export function expectAll(world: World, exchange: Exchange, record: Record): void {
  const { agents, others, rounds, repeat } = exchange;
  const sent = record
    .of('message.sent')
    .flatMap(({ message }) => (message.kind === 'message' ? [message.id as string] : []));
  expect(sent).toHaveLength(messagesOf(exchange));
  expect(new Set(sent).size).toBe(sent.length);
  const all: string[] = [];
  for (let i = 0; i < agents; i++) {
    const me = nameOf(i, exchange);
    const got = heard(world, me);
    all.push(...got.map(({ id }) => id));
    for (let other = 1; other <= others; other++) {
      const from = nameOf(i + agents - other, exchange);
      const expected = Array.from({ length: rounds * repeat }, (_, at) => {
        return `${from} to ${me}: ${Math.floor(at / repeat)}.${(at % repeat) + 1}`;
      });
      expect(
        got.filter((each) => each.from === from).map(({ text }) => text),
        `${from} to ${me}`,
      ).toEqual(expected);
    }
  }
  expect(all.toSorted()).toEqual(sent.toSorted());
}
