// Questions of an agent by a question tool of its own: shown with their options, answered once, and read by the agent.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';
import { inboxOf } from '../world/inbox-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const colour = {
  question: 'Which colour shall it be?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
};
const sizes = {
  question: 'Which sizes?',
  header: 'Sizes',
  multiSelect: true,
  options: [
    { label: 'Small', description: '' },
    { label: 'Large', description: '' },
  ],
};

const asking = (...questions: object[]) =>
  world.script([{ tool: { name: 'AskUserQuestion', input: { questions } }, ask: true }, { say: 'Thank you.' }]);

async function asked(...questions: object[]): Promise<string> {
  const waiting = await world.sb(['run', 'paint it', '--name', 'paint', '--script', asking(...questions)]);
  expect(waiting.code, waiting.stdout + waiting.stderr).toBe(3);
  const { run } = await world.only();
  const ask = (await inboxOf(world)).find(({ runId }) => runId === run.id);
  expect(ask?.kind).toBe('question');
  return ask?.id ?? '';
}

const heard = async (): Promise<string> => (await world.sb(['logs', '--json', 'paint-it'])).stdout;

it('is listed with its options, answered by one of them, and the agent gets the answer [ASK-8]', async () => {
  const id = await asked(colour);
  const inbox = (await world.sb(['inbox'])).stdout;
  for (const line of ['    Which colour shall it be?', '      - Red: warm', `  signalbox answer ${id} Red`])
    expect(inbox).toContain(`${line}\n`);
  expect((await world.sb(['ps'])).stdout).toContain('waits for a person: Which colour shall it be?');
  const answered = await world.sb(['answer', id, 'blue']);
  expect([answered.code, answered.stdout]).toEqual([0, 'paint-it: answer sent.\n']);
  const { run } = await world.ended();
  expect(run.outcome).toBe('succeeded');
  expect(await heard()).toContain('\\"Which colour shall it be?\\"=\\"Blue\\"');
  const events = await recordOf(world, run.id);
  expect(events.find(({ type }) => type === 'ask.opened')).toMatchObject({ kind: 'question' });
  expect(events.find(({ type }) => type === 'ask.answered')).toMatchObject({ answers: [['Blue']] });
});

it('approval is refused with what to type instead; several questions take one answer each [ASK-8]', async () => {
  const id = await asked(colour, sizes);
  const wrong = await world.sb(['approve', id, '-m', 'A dark green']);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain(`signalbox answer ${id} "<Red | Blue | your words>" "<Small | Large | your words>"`);
  const few = await world.sb(['answer', id, 'Red']);
  expect([few.code, few.stderr]).toEqual([1, expect.stringContaining('it asks 2 questions and was given 1 answer')]);
  expect((await inboxOf(world)).some((ask) => ask.id === id)).toBe(true);
  expect((await world.sb(['answer', id, 'A dark green', 'small, large'])).code).toBe(0);
  expect((await world.ended()).run.outcome).toBe('succeeded');
  const text = await heard();
  expect(text).toContain('=\\"A dark green\\"');
  expect(text).toContain('\\"Which sizes?\\"=\\"Small, Large\\"');
});

it('of two terminals that answer at once one wins, and the other is told who answered what and when [ASK-9]', async () => {
  const id = await asked(colour);
  const both = await Promise.all(['Red', 'Blue'].map((word) => world.sb(['answer', id, word])));
  expect(both.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 1]));
  const refused = /has answered it with "(Red|Blue)" already, at \d{4}-/;
  expect(both.find(({ code }) => code === 1)?.stderr).toMatch(refused);
  await world.ended();
  // Also when the agent has long ended.
  const late = await world.sb(['answer', id, 'Green']);
  expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(refused)]);
  const { run } = await world.only();
  expect((await recordOf(world, run.id)).filter(({ type }) => type === 'ask.answered')).toHaveLength(1);
});

it('is refused with a reason, which the agent reads [ASK-8]', async () => {
  const id = await asked(colour);
  expect((await world.sb(['reject', id, '-m', 'decide that yourself'])).code).toBe(0);
  await until(async () => (await world.only()).run.state === 'ended', { what: 'the run to end' });
  expect(await heard()).toContain('decide that yourself');
});
