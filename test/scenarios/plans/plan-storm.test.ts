// A plan whose daemon is killed over and over at moments of chance: its matrix, its typed outputs and its branch come to the
// same end as if nothing had happened. By the branch itself: every task's work is on it once, in one chain.

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import { amount, withChance } from '../crash/storm-chance.ts';
import { endedRun, startDaemon } from '../crash/storm-daemon.ts';
import { recordOf, twoFolds } from '../crash/storm-record.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { submit, taskNamed } from '../spending/limits-world.ts';

const kills = amount('CHAOS_KILLS', 12, 200);
const items = 8;

let world: World;
beforeEach(() => {
  world = openWorld({ SIGNALBOX_SLOTS: '4' });
});
afterEach(() => world.close());

const list = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'integer' } } },
  required: ['items'],
};
const one = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

/** Each of the matrix waits for its sign, so that the storm meets the plan at every stage. */
function plan(): CreateRunInput['tasks'] {
  const command = (shell: string) => ({ harness: 'command', settings: { argv: JSON.stringify(['sh', '-c', shell]) } });
  const count = Array.from({ length: items }, (_, i) => i + 1);
  const gave = `printf '{"items":${JSON.stringify(count)}}' >"$SIGNALBOX_OUTPUT"`;
  const made = `until [ -e "${world.path('go')}-$N" ]; do sleep 0.05; done; echo "$N" >"file-$N"; printf '{"n":%s}' "$N" >"$SIGNALBOX_OUTPUT"`;
  return [
    { name: 'find', prompt: 'find', ...command(gave), output: list, keeps: false },
    {
      name: 'make',
      kind: 'matrix',
      items: { ref: ['tasks', 'find', 'output', 'items'] },
      needs: ['find'],
      prompt: 'make',
      env: { N: [{ ref: ['matrix'] }] },
      output: one,
      ...command(made),
    },
    { name: 'phase.made', kind: 'milestone', prompt: ' ', needs: ['make'] },
    { name: 'sum', prompt: 'sum', needs: ['phase.made'], ...command('cat file-* >sum') },
  ];
}

it(
  `a plan whose daemon is killed ${kills} times integrates every work once, and ends as without kills [ENG-8] [INT-1] [GRAPH-2]`,
  { timeout: 180_000 + kills * 5_000 },
  () =>
    withChance(async (chance) => {
      await world.up();
      const { id } = await submit(world, plan());
      await world.killDaemon();
      for (let n = 1; n <= kills; n++) {
        const daemon = startDaemon(world);
        for (let i = 1; i <= Math.floor((n * items) / kills); i++) world.touch(`go-${i}`);
        if (chance.between(0, 3) > 0) await daemon.ready();
        await delay(chance.between(0, 900));
        await daemon.kill();
      }
      const last = startDaemon(world);
      expect(await last.ready()).toBe(true);
      const run = await endedRun(world, id, 120_000);
      expect(run.outcome).toBe('succeeded');
      expect(taskNamed(run, 'make').output).toEqual(Array.from({ length: items }, (_, i) => ({ n: i + 1 })));
      const record = await recordOf(world, id);
      expect(record.of('integration.succeeded')).toHaveLength(items + 1);
      const { gitDir = '' } = taskNamed(run, 'sum').attempt ?? {};
      const { ref = '', head = '' } = run.branch ?? {};
      const git = (...args: string[]): string => world.git('--git-dir', gitDir, ...args);
      expect(git('rev-parse', ref)).toBe(head);
      expect(git('show', `${ref}:sum`).split('\n').sort()).toEqual(
        Array.from({ length: items }, (_, i) => String(i + 1)),
      );
      // Every integrated commit is on the branch, and nothing else but the merges.
      const commits = run.tasks.flatMap(({ outcome }) =>
        outcome?.kind === 'succeeded' && outcome.commit ? [outcome.commit] : [],
      );
      const onBranch = git('rev-list', '--no-merges', ref, `^${run.repo.base}`).split('\n');
      expect(onBranch.sort()).toEqual([...new Set(commits)].sort());
      const { loaded, folded } = await twoFolds(world, id);
      expect(loaded).toBe(folded);
      await last.kill();
    }),
);
