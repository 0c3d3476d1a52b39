// S18: one owner. However many resume the same session at once, one does; agents with the same name still have workspaces of
// their own, which no cleanup removes while they work.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask, detached, recordOf, runEnd, runOf, submit } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '6' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const timeoutMs = 60_000;
const contenders = 100;
/** So many of them are whole processes of the command line; the others speak to the daemon as those do. */
const asProcesses = 20;

it('S18: of 100 concurrent resumes of one run one succeeds, and 99 are refused by name [RUN-5] [RUN-6]', async () => {
  // Fails the first time and is held the second, so that no client finds the run ended again.
  const script = world.script([
    { run: `mkdir ${world.path('first')} 2>/dev/null || touch ${world.path('second')}` },
    { run: `test -e ${world.path('second')}` },
    { append: { path: world.path('effects'), text: 'once\n' } },
    { waitFor: world.path('go') },
  ]);
  const first = await detached(world, ['mine', '--script', script]);
  expect((await runEnd(world, first.id)).outcome).toBe('failed');
  const again = Array.from({ length: contenders }, async (_, i): Promise<{ won: boolean; why: string }> => {
    if (i < asProcesses) {
      const { code, stderr } = await world.sb(['resume', first.id, '--detach']);
      return { won: code === 0, why: stderr };
    }
    const { status, body } = await ask(world, 'POST', `/runs/${first.id}/resume`, { by: `contender ${i}` });
    return { won: status === 200, why: JSON.stringify(body) };
  });
  const answers = await Promise.all(again);
  const owner = /the run has not ended: (attempt_\w+-2 works on \\?"mine|\\?"mine\\?" is ready)/;
  const refused = answers.filter(({ won }) => !won);
  expect(refused).toHaveLength(contenders - 1);
  expect(refused.map(({ why }) => why).filter((why) => !owner.test(why))).toEqual([]);
  const record = await recordOf(world, first.id);
  const resumed = record.filter((event) => event.type === 'run.resumed');
  expect(resumed).toHaveLength(1);
  await until(() => world.text('effects') !== '', { timeoutMs, what: 'the owner to work' });
  expect(world.agents()).toHaveLength(1);
  world.touch('go');
  const run = await runEnd(world, first.id);
  expect(
    run.tasks.map(({ outcome, attempts, attempt }) => [outcome?.kind, attempts, attempt?.launches.length]),
  ).toEqual([['succeeded', 2, 1]]);
  expect(world.text('effects')).toBe('once\n');
});

const equals = sized(40, 100);

it(`S18: ${equals} tasks of one name get ${equals} workspaces, and none sees another's work [WS-1]`, async () => {
  await world.up();
  const settings = { script: JSON.stringify([{ run: 'test ! -e mine' }, { write: { path: 'mine', text: 'yes' } }]) };
  const runs = await Promise.all(
    Array.from({ length: equals }, () => submit(world, [{ name: 'same', prompt: 'same', settings }], 'same')),
  );
  // Ended workspaces may go at any time; an agent at work would fail if its own were removed.
  for (const { id } of runs.slice(0, 5)) {
    const cleaned = await world.sb(['gc', '--json']);
    expect(cleaned.code, cleaned.stderr + world.text('home/daemon.log')).toBe(0);
    await runEnd(world, id, 120_000);
  }
  for (const { id } of runs) await runEnd(world, id, 120_000);
  const ended = await Promise.all(runs.map(({ id }) => runOf(world, id)));
  expect(ended.map(({ outcome }) => outcome)).toEqual(runs.map(() => 'succeeded'));
  const places = ended.flatMap(({ tasks }) => tasks.map(({ attempt }) => attempt?.workspace));
  expect(new Set(places).size).toBe(equals);
  const refs = ended.flatMap(({ tasks }) => tasks.map(({ attempt }) => attempt?.ref));
  expect(new Set(refs).size).toBe(equals);
});

it('S18: equal prompts of one run become tasks of different names', async () => {
  const script = world.script([{ say: 'x' }]);
  const { code, stdout } = await world.sb(['run', 'same', 'same', 'same', '--script', script, '--json']);
  expect(code, stdout).toBe(0);
  expect((await world.only()).run.tasks.map(({ name }) => name)).toEqual(['same', 'same-2', 'same-3']);
  await until(() => world.agents().length === 0, { timeoutMs, what: 'all to be gone' });
});
