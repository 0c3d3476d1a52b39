// Whether a further attempt continues or begins from scratch by the default rule: every row of its table in docs/handoff.md,
// with the reason that people see. Real processes and real git, from the outside.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf, runEnd, submit } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

type TaskInput = CreateRunInput['tasks'][number];

/** A model whose name says that a million tokens fit. */
const wide = 'scripted[1m]';
/** Each its own file: what another has been integrated would be no change. */
const write = (name: string): object => ({ write: { path: `${name}.txt`, text: 'a' } });
const fails = (reason = 'max-output'): object => ({ fail: reason, once: true });
const filled = (tokens: number): object[] => [{ context: tokens }, { say: 'I have read it.' }];

interface Row {
  readonly steps: readonly object[];
  readonly more?: Partial<TaskInput>;
  readonly goesOn: 'same session' | 'new session' | 'anew';
  readonly why: string;
}

/** By the name of its task. */
const rows: Readonly<{ [name: string]: Row }> = {
  short: {
    steps: [write('short'), ...filled(100_000), fails()],
    goesOn: 'same session',
    why: 'it works on the same files, and its conversation is short (10 % of its context)',
  },
  unnotified: {
    steps: [write('unnotified'), fails()],
    more: { settings: { script: JSON.stringify([write('unnotified'), fails()]) } },
    goesOn: 'same session',
    why: 'it works on the same files, and its conversation is short (how full its context is was not told)',
  },
  judge: {
    steps: [write('judge'), fails()],
    more: { outputKind: 'verdict' },
    goesOn: 'anew',
    why: 'it gives a verdict, so it starts from scratch',
  },
  verifier: {
    steps: [write('verifier'), fails()],
    more: { keeps: false },
    goesOn: 'anew',
    why: 'it keeps nothing, so it starts from scratch',
  },
  reader: {
    steps: [...filled(600_000), fails()],
    goesOn: 'anew',
    why: 'it has read much (60 % of its context) and changed nothing',
  },
  long: {
    steps: [write('long'), ...filled(600_000), fails()],
    goesOn: 'new session',
    why: 'its conversation is long (60 % of its context)',
  },
  full: {
    steps: [write('full'), fails('context-overflow')],
    goesOn: 'new session',
    why: 'its context was full',
  },
};

it('each row of the rule decides as documented, and gives its reason [HAND-9]', async () => {
  const tasks = Object.entries(rows).map(([name, { steps, more = {} }]) => ({
    name,
    prompt: `Do ${name}.`,
    attemptsMax: 2,
    retryDelayMs: 0,
    retryHow: 'auto' as const,
    settings: { model: wide, script: JSON.stringify(steps) },
    context: { how: 'compact' as const, percent: 99 },
    ...more,
  }));
  const { id } = await submit(world, tasks, 'rules');
  const ended = await runEnd(world, id, 100_000);
  const record = await recordOf(world, id);
  const shown = (await world.sb(['events', id])).stdout;
  for (const [name, { goesOn, why }] of Object.entries(rows)) {
    const task = ended.tasks.find((each) => each.name === name);
    const [first, second] = record.flatMap((event) =>
      event.type === 'attempt.started' && event.taskId === task?.id ? [event] : [],
    );
    expect(second?.why, name).toBe(why);
    expect(task?.attempt?.why, name).toBe(why);
    expect(shown, name).toContain(JSON.stringify(why).slice(1, -1));
    expect(second?.continues, name).toBe(goesOn === 'anew' ? undefined : first?.attemptId);
    const renewed = record.some((event) => event.type === 'session.renewed' && event.attemptId === second?.attemptId);
    expect(renewed, name).toBe(goesOn === 'new session');
  }
});

it('conflicting work starts fresh if its author is not asked [HAND-9]', async () => {
  const script = (text: string, last: object[]): string =>
    JSON.stringify([{ write: { path: 'same.txt', text } }, ...last]);
  const all = { retryDelayMs: 0, retryHow: 'auto' as const, sendBacksMax: 0, conflictsMax: 1 };
  const { id } = await submit(
    world,
    [
      { ...all, name: 'first', prompt: 'first', settings: { script: script('one\n', []) } },
      {
        ...all,
        name: 'second',
        prompt: 'second',
        settings: { script: script('two\n', [{ waitFor: world.path('go') }]) },
      },
      {
        ...all,
        name: 'after',
        prompt: 'after',
        needs: ['first'],
        settings: { script: JSON.stringify([{ write: { path: world.path('go'), text: '' } }]) },
      },
    ],
    'unfit',
  );
  const ended = await runEnd(world, id, 100_000);
  expect(ended.tasks.find(({ name }) => name === 'second')?.attempt?.why).toBe('no further word cures conflict');
});
