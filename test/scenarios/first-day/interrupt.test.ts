// A person ends the turn of an agent and keeps the agent: from the command line, by a key of `ps --watch`, and in `attach`.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { detached, recordOf, runEnd, runOf } from '../spending/limits-world.ts';
import { hasPty, sit } from '../terminal/terminal-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const timeoutMs = 20_000;

/** An agent in a command that would run for ever. */
async function begun(): Promise<string> {
  const script = world.script([
    { write: { path: 'half.txt', text: 'half\n' } },
    { run: `touch ${world.path('begun')}; until [ -e ${world.path('go')} ]; do sleep 0.05; done` },
  ]);
  const { id } = await detached(world, [
    'work',
    '--name',
    'work',
    '--script',
    script,
    '--sandbox',
    'none',
    '--allow',
    '*',
  ]);
  await until(() => existsSync(world.path('begun')), { timeoutMs, what: 'the agent to be in its turn' });
  return id;
}

const isInterrupted = async (id: string): Promise<boolean> =>
  (await runOf(world, id)).tasks[0]?.wait?.kind === 'interrupt';

describe('interrupt', () => {
  it('ends the turn and keeps the agent, its session and its work; a message continues it [STEER-1]', async () => {
    const id = await begun();
    const said = await world.sb(['interrupt', 'work']);
    expect([said.code, said.stdout]).toEqual([0, expect.stringMatching(/^Interrupting work\. .*signalbox send task_/)]);
    await until(() => isInterrupted(id), { timeoutMs, what: 'the agent to wait' });
    expect((await world.sb(['ps'])).stdout).toMatch(/waits for a message \(signalbox send\): a person interrupted it/);
    const again = await world.sb(['interrupt', 'work']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not in a turn')]);
    expect((await world.sb(['send', 'work', 'That is enough.'])).code).toBe(0);
    const { outcome, tasks } = await runEnd(world, id);
    expect([outcome, tasks[0]?.attempts]).toEqual(['succeeded', 1]);
    const events = await recordOf(world, id);
    const sessions = events.flatMap((event) => (event.type === 'agent.session' ? [event.session] : []));
    expect(new Set(sessions).size).toBe(1);
    expect((await world.sb(['diff', 'work'])).stdout).toContain('half.txt');
  });

  it('is refused for an agent that has no order for it [STEER-2]', async () => {
    const wait = `touch ${world.path('begun')}; until [ -e ${world.path('go')} ]; do sleep 0.05; done`;
    const { id } = await detached(world, [
      'work',
      '--name',
      'work',
      '--harness',
      'command',
      '--argv',
      wait,
      '--sandbox',
      'none',
    ]);
    await until(() => existsSync(world.path('begun')), { timeoutMs, what: 'the command to run' });
    const said = await world.sb(['interrupt', 'work']);
    expect([said.code, said.stderr]).toEqual([1, expect.stringContaining('cannot be interrupted: signalbox stop')]);
    world.touch('go');
    expect((await runEnd(world, id)).outcome).toBe('succeeded');
  });

  it.runIf(hasPty)(
    'is the key i in ps --watch and Escape in attach, where a line continues the agent [STEER-3]',
    async () => {
      const id = await begun();
      const tty = sit(world, ['ps', '-w'], { columns: 80, rows: 24 });
      await tty.shows(/^> work +working/m);
      tty.type('i');
      await tty.shows('interrupted: the agent waits for your message');
      await until(() => isInterrupted(id), { timeoutMs, what: 'the agent to wait' });
      await tty.shows(/^> work +needs you .* a message/m);
      tty.type('\r');
      await tty.shows('Type a line to steer the agent.');
      tty.type('\u001b');
      await tty.shows('(not interrupted: ');
      tty.type('go on\r');
      await tty.shows(/work +done/);
      tty.type('q');
      expect(await tty.ended).toBe(0);
      expect((await runEnd(world, id)).outcome).toBe('succeeded');
    },
  );
});
