// Agents that coordinate agents, with real processes and full durability: how fast a call is answered and a parked agent woken,
// how long ten thousand messages take, and what five hundred parked agents cost the daemon.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../src/std/assert.ts';
import { type BenchFigure, figure, median } from './figure.ts';
import { memoryMb, type Noted, onSignal, openWorld, type World } from './world.ts';

const calls = 300;
const wakes = 20;
const writers = 10;
const messagesEach = 1_000;
const parked = 500;

export async function benchChildren(): Promise<BenchFigure[]> {
  if (process.platform !== 'linux') return [];
  const world = openWorld(writers);
  const forget = onSignal(() => world.close());
  try {
    const call = await answers(world);
    const wake = await waking(world);
    const mailS = await messages(world);
    const parkedMb = await parking(world);
    return [
      figure('children.call_p50', median(call), 'ms', '< 30', median(call) < 30),
      figure('children.wake_parked_p50', median(wake), 'ms', '< 150', median(wake) < 150),
      figure('children.10000_messages', mailS, 's', '< 60', mailS < 60),
      figure('children.memory_of_500_parked', parkedMb, 'MB', '< 20', parkedMb < 20),
    ];
  } finally {
    forget();
    await world.close();
  }
}

const tool = (name: string): string => `mcp__signalbox__${name}`;

/** From one answer to the next of an agent that does nothing but call. */
async function answers(world: World): Promise<number[]> {
  const call = { call: { tool: tool('report_progress'), input: { line: 'call {n}' }, repeat: calls } };
  const run = await world.children({ caller: [call] }, {});
  await world.ended(run);
  const at = (await world.events(run)).filter(({ type }) => type === 'call.answered').map((event) => event.at);
  return at.slice(1).map((each, i) => each - must(at[i], 'there is one before'));
}

/** From the message to its delivery, for an agent without a process. */
async function waking(world: World): Promise<number[]> {
  const child = {
    prompt: 'Say that you are done, and nothing else.',
    harness: 'scripted',
    script: [{ wait: 1_500 }, { say: 'done' }],
  };
  const round = (n: number): object[] => [
    { call: { tool: tool('spawn_agent'), input: { name: `child-${n}`, ...child } } },
    { call: { tool: tool('wait'), input: {} } },
  ];
  const steps = Array.from({ length: wakes }, (_, n) => round(n)).flat();
  const run = await world.children({ parent: steps }, { idleMs: 0, spawnsPerMinute: 1_000 });
  await world.ended(run);
  return wakesIn(await world.events(run));
}

function wakesIn(events: readonly Noted[]): number[] {
  const found: number[] = [];
  let [sent, isParked]: [number | null, boolean] = [null, false];
  for (const { type, at, data } of events) {
    const isParents = !/o\d+-/.test(JSON.stringify(data['attemptId'] ?? data['agentId'] ?? ''));
    if (type === 'attempt.parked') isParked = true;
    if (type === 'message.sent' && isParked) sent ??= at;
    if (type === 'record.delivered' && isParents && sent !== null) {
      found.push(at - sent);
      [sent, isParked] = [null, false];
    }
  }
  return found;
}

/** In a ring, from the first message to the last delivery. */
async function messages(world: World): Promise<number> {
  const send = (to: string): object => ({
    call: { tool: tool('send_message'), input: { to, text: 'message {n}' }, repeat: messagesEach },
  });
  const all = join(world.dir, 'all-sent');
  // No agent ends before all have written: messages to ended tasks are refused.
  const scripts = Array.from({ length: writers }, (_, i) => {
    const sent = { write: { path: join(world.dir, `sent-${i}`), text: '' } };
    return [`w${i}`, [send(`w${(i + 1) % writers}`), sent, { waitFor: all }]] as const;
  });
  const limits = { messagesPerMinute: 10_000, mailboxMax: 100_000, hopsMax: 1_000, idleMs: 60_000 };
  const run = await world.children(Object.fromEntries(scripts), limits);
  while (!scripts.every((_, i) => existsSync(join(world.dir, `sent-${i}`)))) await delay(100);
  writeFileSync(all, '');
  await world.ended(run);
  const events = await world.events(run);
  const sent = events.filter(({ type }) => type === 'message.sent');
  const last = events.findLast(({ type }) => type === 'record.delivered');
  if (sent.length !== writers * messagesEach) throw new Error(`${sent.length} messages were sent`);
  return (must(last, 'they were taken up').at - must(sent[0], 'they were sent').at) / 1_000;
}

/** Of a daemon that has just come up, with them and without them. */
async function parking(world: World): Promise<number> {
  await world.restart();
  await delay(3_000);
  const before = memoryMb(world.daemon());
  const ask = { call: { tool: tool('ask_person'), input: { question: 'May I go on?' } } };
  const scripts = Array.from({ length: parked }, (_, i) => [`p${i}`, [ask]] as const);
  const run = await world.children(Object.fromEntries(scripts), { idleMs: 0 });
  await world.reaches(run, ({ attempt, wait }) => attempt?.launchState === 'ended' && wait?.kind === 'ask');
  await world.restart();
  await delay(3_000);
  const after = memoryMb(world.daemon());
  await world.stop(run);
  return after - before;
}
