// S3: hierarchy. A root spawns leads and each lead spawns workers; each result reaches its parent. A spawn beyond the allowed
// depth is refused, before there is any process.

import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  answersTo,
  call,
  idOf,
  notified,
  type Step,
  spawn,
  submitChildren,
  toldTo,
} from '../children/children-world.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { recordOf } from '../crash/storm-record.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;

beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '8' });
  await world.up();
});

afterEach(() => world.close());

const three = [1, 2, 3];
const beyond = 100;
const wish = { name: 'deeper{n}', prompt: 'Go one deeper and say so.', harness: 'scripted', script: [] };

function worker(name: string): Step[] {
  const more =
    name === 'lead2.w3' ? [{ call: { ...(call('spawn_agent', wish)['call'] as object), repeat: beyond } }] : [];
  return [...more, { turn: `result of ${name}` }];
}

function lead(name: string): Step[] {
  const workers = three.map((n) => spawn(`${name}.w${n}`, worker(`${name}.w${n}`)));
  return [...workers, call('wait'), { turn: `result of ${name}` }];
}

it('S3: thirteen agents spawn one another, each result reaches its own parent, and none is too deep [CHILD-41] [CHILD-42]', async () => {
  const leads = three.map((n) => spawn(`lead${n}`, lead(`lead${n}`)));
  const { id } = await submitChildren(
    world,
    { root: [...leads, call('wait'), { turn: 'all of it' }] },
    { limits: { depthMax: 3 } },
  );
  const run = await endedRun(world, id, 100_000);
  expect(run.outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  expect(record.of('agent.created')).toHaveLength(13);
  expect(record.of('task.ended').filter(({ outcome }) => outcome.kind === 'succeeded')).toHaveLength(13);

  const toRoot = toldTo(world, record, 'root');
  expect(notified(toRoot).sort()).toEqual(['lead1', 'lead2', 'lead3']);
  for (const n of three) {
    expect(toRoot.join('\n')).toContain(`> result of lead${n}`);
    const toLead = toldTo(world, record, `lead${n}`);
    expect(notified(toLead).sort()).toEqual(three.map((m) => `lead${n}.w${m}`));
    for (const m of three) {
      expect(toLead.join('\n')).toContain(`> result of lead${n}.w${m}`);
      expect(notified(toldTo(world, record, `lead${n}.w${m}`))).toEqual([]);
    }
  }

  const refused = answersTo(record, 'lead2.w3', 'spawn_agent');
  expect(refused).toHaveLength(beyond);
  for (const { isError, text } of refused) {
    expect(isError).toBe(true);
    expect(text).toBe('refused: agents stand 3 deep here; do it yourself (limit depth: 3)');
  }
  expect(record.of('limit.reached')).toMatchObject([{ limit: 'depthMax', max: 3, taskId: idOf(record, 'lead2.w3') }]);
  expect(record.of('task.added')).toHaveLength(13);
});
