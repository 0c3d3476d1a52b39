// S36: twelve ask at once, with two slots: permissions, questions with options, gates and budgets. Two people answer each, and the
// daemon is killed in between.

import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { AskView } from '../../../src/wire/ask-views.ts';
import { until } from '../../until.ts';
import { openWorld, readOr, type World } from '../daemon/daemon-world.ts';
import { ask, recordOf, runEnd, submit } from '../spending/limits-world.ts';
import { inboxOf } from '../world/inbox-world.ts';

let world: World;
afterEach(() => world.close());

const timeoutMs = 60_000;
const questions = [
  { question: 'Which?', header: 'W', multiSelect: false, options: [{ label: 'Red' }, { label: 'Blue' }] },
];
const steps: Readonly<Record<string, readonly object[]>> = {
  permission: [{ write: { path: 'p.md', text: 'p\n' }, ask: true }, { say: 'Done.' }],
  question: [{ tool: { name: 'AskUserQuestion', input: { questions } }, ask: true }, { say: 'Done.' }],
  budget: [{ run: 'true' }, { run: 'true' }, { run: 'true' }, { say: 'Done.' }],
};
const kinds = ['permission', 'question', 'gate', 'budget'] as const;

function task(kind: (typeof kinds)[number], n: number) {
  const name = `${kind}${n}`;
  if (kind === 'gate') return { name, kind, prompt: name, gate: { message: 'Ship it?' } };
  const settings = { script: JSON.stringify(steps[kind]) };
  const permissions = { allow: [], ask: ['Write'], deny: [] };
  return { name, prompt: name, settings, permissions, ...(kind === 'budget' ? { budget: { turns: 1 } } : {}) };
}

/** What a person sends. */
function answerOf({ kind }: AskView, by: string): object {
  if (kind === 'budget') return { approved: true, by, set: { turns: 100 } };
  return kind === 'question'
    ? { approved: true, by, answers: [by === 'ann' ? 'Red' : 'Blue'] }
    : { approved: true, by };
}

it('S36: every ask is answered once, by whom is recorded, no slot is held, nobody is called twice [ASK-9]', async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '2', SIGNALBOX_NOTIFY: 'cat >>"$SIGNALBOX_HOME/told"' });
  await world.up();
  const tasks = kinds.flatMap((kind) => [1, 2, 3].map((n) => task(kind, n)));
  const { id } = await submit(world, tasks as Parameters<typeof submit>[1]);
  const open = await until(
    async () => {
      const all = await inboxOf(world);
      return all.length === 12 ? all : null;
    },
    { timeoutMs, what: 'twelve asks' },
  );
  const told = (): string[] =>
    readOr(join(world.home, 'told'))
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { key: string }).key]));
  await until(() => told().length >= 12, { timeoutMs, what: 'all to be told' });
  // The processes of those whose budget is exhausted end.
  const taken = async () => ((await ask(world, 'GET', '/status')).body as { slots: { taken: number } }).slots.taken;
  await until(async () => (await taken()) === 0, { timeoutMs, what: 'every slot to be free' });
  await world.killDaemon();
  await world.up();
  const half = open.slice(0, 6);
  const both = (each: AskView) =>
    Promise.all(['ann', 'bob'].map((by) => ask(world, 'POST', `/asks/${each.id}`, answerOf(each, by))));
  const first = await Promise.all(half.map(both));
  await world.killDaemon();
  await world.up();
  const answers = [...first, ...(await Promise.all(open.slice(6).map(both)))];
  const run = await runEnd(world, id);
  expect(run.outcome, JSON.stringify(run.tasks.map(({ name, outcome }) => [name, outcome]))).toBe('succeeded');
  const events = await recordOf(world, id);
  for (const [i, { id: askId, kind }] of open.entries()) {
    const given = events.flatMap((event) => (event.type === 'ask.answered' && event.askId === askId ? [event] : []));
    expect(
      given.map(({ by }) => by),
      `${kind} ${askId}`,
    ).toEqual([expect.stringMatching(/^(ann|bob)$/)]);
    const refused = (answers[i] ?? []).filter((each) => each.status !== 200);
    expect(refused, kind).toHaveLength(1);
    expect(JSON.stringify(refused[0]?.body), kind).toContain(`${given[0]?.by} has `);
  }
  const asks = told().filter((key) => !key.startsWith('ended') && !key.startsWith('failed'));
  expect(new Set(asks).size).toBe(asks.length);
});
