// S21: tasks with random overlapping write-sets, some agents writing outside theirs. By what the agents themselves saw:
// no two overlapping writers ever worked together, and nothing outside a set succeeded.

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withChance } from '../crash/storm-chance.ts';
import { recordOf } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { runEnd, submit } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const tasks = 30;
/** Each set, and the marks of what it can touch: sets with a common mark overlap. */
const sets: readonly { readonly writes: readonly string[]; readonly marks: string; readonly inside: string }[] = [
  { writes: ['src/a/**'], marks: 'AP', inside: 'src/a/file' },
  { writes: ['src/b/**'], marks: 'BQX', inside: 'src/b/file' },
  { writes: ['src/*/shared.ts'], marks: 'PQ', inside: 'src/a/shared.ts' },
  { writes: ['docs', 'README.md'], marks: 'DYR', inside: 'docs/deep/page.md' },
  { writes: ['*.md'], marks: 'R', inside: 'README.md' },
  { writes: ['src/b/x', 'docs/x'], marks: 'XY', inside: 'docs/x' },
];

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '8' });
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

it(
  'S21: 30 tasks with overlapping write-sets: no two writers of a path run at once, and nothing outside succeeds [LOCK-1] [LOCK-4]',
  {
    timeout: 180_000,
  },
  () =>
    withChance(async (chance) => {
      await world.up();
      const chosen = Array.from({ length: tasks }, () => ({
        ...chance.pick(sets),
        strays: chance.between(0, 5) === 0,
      }));
      const log = world.path('log');
      const run = await submit(
        world,
        chosen.map(({ writes, inside, strays }, i) => ({
          name: `t${i}`,
          prompt: 'write',
          writes: [...writes],
          settings: {
            script: JSON.stringify([
              { append: { path: log, text: `+${i} ` } },
              { write: { path: inside, text: `by ${i}` } },
              ...(strays ? [{ write: { path: 'elsewhere/stray.txt', text: 'x' } }] : []),
              { wait: 100 },
              { append: { path: log, text: `-${i} ` } },
            ]),
          },
        })),
      );
      const ended = await runEnd(world, run.id);

      const working = new Set<number>();
      for (const step of readFileSync(log, 'utf8').trim().split(' ')) {
        const i = Number(step.slice(1));
        if (step.startsWith('-')) working.delete(i);
        else {
          const mine = chosen[i]?.marks ?? '';
          for (const other of working) {
            const common = Array.from(mine).filter((mark) => chosen[other]?.marks.includes(mark));
            expect(common, `${i} and ${other} worked together`).toEqual([]);
          }
          working.add(i);
        }
      }
      for (const [i, task] of ended.tasks.entries()) {
        if (chosen[i]?.strays !== true) expect(task.outcome?.kind, task.name).toBe('succeeded');
        else {
          expect(task.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'out-of-scope' } });
          expect(JSON.stringify(task.outcome)).toContain('elsewhere/stray.txt');
          const { gitDir = '', ref } = task.attempt ?? {};
          expect(world.git('--git-dir', gitDir, 'show', `${ref}:elsewhere/stray.txt`)).toBe('x');
        }
      }
      // A task that strayed was sent back twice.
      const strays = chosen.filter((each) => each.strays).length;
      expect((await recordOf(world, run.id)).of('attempt.started')).toHaveLength(tasks + 2 * strays);
    }),
);

it('a task that waits for a path says for which task, and a glob that leads out is refused', async () => {
  const script = world.script([{ waitFor: world.path('go') }]);
  await world.sb(['run', 'first', 'second', '--detach', '--writes', 'src/**', '--script', script]);
  expect((await world.sb(['ps'])).stdout).toContain('waits for path src/** held by task "first"');
  world.touch('go');
  await world.ended();
  const { code, stderr } = await world.sb(['run', 'x', '--writes', '../y']);
  expect(code).toBe(2);
  expect(stderr).toContain('leads out of it');
});
