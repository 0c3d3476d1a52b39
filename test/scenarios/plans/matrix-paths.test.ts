// Paths that hold values of a matrix: its tasks work at once where their directories differ, and take turns where they meet.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '8' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

it('three tasks of a matrix work in their directories at once; one whose directory lies in theirs waits [GRAPH-13]', async () => {
  const [log, go] = [world.path('log'), world.path('go')];
  const dirs = ['api', 'web', 'cli', 'api/v2', '../out'];
  const item = { type: 'object', required: ['dir'], properties: { dir: { type: 'string' } } };
  const output = {
    type: 'object',
    required: ['parts'],
    properties: { parts: { type: 'array', minItems: 1, items: item } },
  };
  const work = [
    'mkdir -p "$DIR" && echo done >"$DIR/file"',
    `echo "+$DIR" >>${log}`,
    `while [ ! -e ${go} ]; do sleep 0.05; done`,
    `echo "-$DIR" >>${log}`,
  ];
  const plan = {
    name: 'parts',
    tasks: {
      find: {
        prompt: 'x',
        output,
        settings: { script: JSON.stringify([{ output: { parts: dirs.map((dir) => ({ dir })) } }]) },
      },
      each: {
        needs: 'find',
        matrix: '${{ tasks.find.output.parts }}',
        writes: ['${{ matrix.dir }}/**'],
        env: { DIR: '${{ matrix.dir }}' },
        run: work.join(' && '),
      },
    },
  };
  writeFileSync(join(world.repo, 'a.plan.yaml'), JSON.stringify(plan));
  const running = world.sb(['run', 'a.plan.yaml', '--json']);
  const steps = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  await until(() => steps().length === 3, { timeoutMs: 20_000, what: 'three tasks to work at once' });
  expect(steps().sort()).toEqual(['+api', '+cli', '+web']);
  expect((await world.sb(['ps'])).stdout).toContain('waits for path api/** held by task "each.1"');
  world.touch('go');
  const { stdout } = await running;
  const { tasks, outcome } = JSON.parse(stdout);
  expect(outcome).toBe('partial');
  // The fourth began only after the first had ended.
  expect(steps().indexOf('+api/v2')).toBeGreaterThan(steps().indexOf('-api'));
  const ends = tasks.map(({ name, outcome: end }: { name: string; outcome: { kind: string } }) => [name, end.kind]);
  expect(Object.fromEntries(ends)).toMatchObject({
    'each.1': 'succeeded',
    'each.2': 'succeeded',
    'each.3': 'succeeded',
    'each.4': 'succeeded',
    'each.5': 'failed',
    each: 'failed',
  });
  const wrong = tasks.find(({ name }: { name: string }) => name === 'each.5');
  expect(JSON.stringify(wrong.outcome)).toContain('is not a path in the repository: it leads out of it');
});
