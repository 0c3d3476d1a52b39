// S13: messages. Agents write to one another by the thousand, and die of messages before they acknowledge them: every message
// is delivered, once, in the order of its pair.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import { answersTo, call, idOf, type Step, submitChildren, toldTo } from '../children/children-world.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { type Record, recordOf, twoFolds } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { type Exchange, exchangeScripts, expectAll, letGo, messagesOf, unlimited } from '../messages/messages-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '12' });
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

const exchange: Exchange = { agents: 10, others: 5, rounds: sized(2, 10), repeat: sized(10, 20), dieOf: sized(8, 20) };
const many = { timeout: 600_000 };

it(
  `S13: ${messagesOf(exchange)} messages between ten agents that crash: none lost, none doubled, all in order [CHILD-48]`,
  many,
  async () => {
    const { id } = await submitChildren(world, exchangeScripts(world, exchange), {
      limits: unlimited,
      all: { attemptsMax: 100, retryHow: 'continue', retryDelayMs: 0 },
    });
    await letGo(world, exchange, 400_000);
    expect((await endedRun(world, id)).outcome).toBe('succeeded');
    const record = await recordOf(world, id);
    expectAll(world, exchange, record);
    expect(record.of('launch.ended').filter(({ status }) => status === 137).length).toBeGreaterThan(0);
    const { loaded, folded } = await twoFolds(world, id);
    expect(loaded).toBe(folded);
  },
);

it('S13: a message to an unknown name is an error with similar names; one to an ended task says so [CHILD-49]', async () => {
  const { id } = await submitChildren(world, {
    builder: [{ waitFor: world.path('go') }],
    early: [{ turn: 'gone' }],
    writer: [
      call('send_message', { to: 'bilder', text: 'hello' }),
      { waitFor: world.path('ended') },
      call('send_message', { to: 'early', text: 'hello' }),
      call('send_message', { to: 'writer', text: 'hello' }),
      call('send_message', { to: 'parent', text: 'hello' }),
      { write: { path: world.path('go'), text: '' } },
    ],
  });
  const ended = async () => (await recordOf(world, id)).of('task.ended').length > 0;
  await until(ended, { timeoutMs: 30_000, what: 'the early one to end' });
  world.touch('ended');
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  expect(answersTo(record, 'writer', 'send_message').map(({ isError, text }) => [isError, text])).toEqual([
    [true, 'refused: there is no task "bilder" in this run; did you mean "builder"?'],
    [true, 'refused: "early" has ended (succeeded): nobody would read it'],
    [true, 'refused: that is you'],
    [true, 'refused: you have no parent in this run: use ask_person to ask a person'],
  ]);
  expect(record.of('message.sent')).toEqual([]);
});

const unread = sized(265, 1_065);
const size = 1_660;

it(`S13: ${unread} unread messages stall no agent and are all read in the end [CHILD-50]`, many, async () => {
  const talk = (to: string): Step[] => {
    const { call: given } = call('send_message', { to, text: 'beside it: {n}' });
    return [{ call: { ...(given as object), repeat: 20 } }, call('ask_person', { question: 'Is it over?' })];
  };
  const { call: given } = call('send_message', { to: 'busy', text: `{n} ${'x'.repeat(size)}` });
  const { id } = await submitChildren(
    world,
    {
      busy: [{ waitFor: world.path('go') }, { turn: 'now I read' }],
      writer: [{ call: { ...(given as object), repeat: unread } }, { write: { path: world.path('full'), text: '' } }],
      left: [{ waitFor: world.path('full') }, ...talk('right')],
      right: [{ waitFor: world.path('full') }, ...talk('left')],
    },
    { limits: { messagesPerMinute: 10_000 } },
  );
  const asked = async () => (await recordOf(world, id)).of('ask.opened').length === 2;
  await until(asked, { timeoutMs: 200_000, what: 'the others to have spoken' });
  const before = await recordOf(world, id);
  // Less than a turn's worth is on its way to it; the rest waits.
  expect(before.of('message.sent').filter(({ message }) => message.to === idOf(before, 'busy'))).toHaveLength(unread);
  expect(toldTo(world, before, 'busy').join('').length).toBeLessThan(20_000);
  const since = performance.now();
  expect((await world.sb(['ps'])).code).toBe(0);
  expect(performance.now() - since).toBeLessThan(5_000);
  for (const name of ['left', 'right']) expect((await world.sb(['approve', name])).code).toBe(0);
  world.touch('go');
  expect((await endedRun(world, id, 200_000)).outcome).toBe('succeeded');
  const told = toldTo(world, await recordOf(world, id), 'busy');
  const numbers = told.flatMap((text) => [...text.matchAll(/^> (\d+) x/gm)].map(([, n]) => Number(n)));
  expect(numbers).toEqual(Array.from({ length: unread }, (_, i) => i + 1));
  for (const text of told) expect(text.length).toBeLessThan(16_200);
});

it('S13: an idle recipient, and one without a process, are woken by a message in less than five seconds [CHILD-51]', async () => {
  const waiting = [call('ask_person', { question: 'May I go?' })];
  const sends = ['warm', 'parked'].map((to) => call('send_message', { to, text: 'wake up' }));
  const { id } = await submitChildren(
    world,
    {
      warm: [{ waitFor: world.path('soon') }, ...waiting],
      parked: waiting,
      writer: [{ waitFor: world.path('go') }, ...sends],
    },
    { limits: { idleMs: 3_000 } },
  );
  const parked = async () => (await recordOf(world, id)).of('attempt.parked').length === 1;
  await until(parked, { timeoutMs: 30_000, what: 'one to be parked' });
  world.touch('soon');
  const idle = async () => (await recordOf(world, id)).of('ask.opened').length === 2;
  await until(idle, { timeoutMs: 30_000, what: 'the other to be idle' });
  world.touch('go');
  const told = async () => wakes(await recordOf(world, id)).length === 2;
  await until(told, { timeoutMs: 30_000, what: 'both to be told' });
  for (const ms of wakes(await recordOf(world, id))) expect(ms).toBeLessThan(5_000);
  await world.sb(['stop', id]);
});

/** From the sending of each message to its agent's taking it up. */
function wakes(record: Record): number[] {
  const bundles = record.of('record.queued').filter(({ body }) => body.kind === 'messages');
  return bundles.flatMap(({ recordId, body }) => {
    const [first] = body.kind === 'messages' ? body.messages : [];
    const sent = record.of('message.sent').find(({ message }) => message.id === first);
    const taken = record.of('record.delivered').find((event) => event.recordId === recordId);
    return sent === undefined || taken === undefined ? [] : [taken.at - sent.at];
  });
}
