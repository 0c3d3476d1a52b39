// `ps --watch` under the hands of a person: moving, opening, stopping, answering, leaving; and the terminal afterwards.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { mainFile, type World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { hasPty, sit, sitAt } from './terminal-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '4' });
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

describe.runIf(hasPty)('keys in ps --watch', () => {
  it('move between agents, stop one after a second word, open one and come back, and leave [TTY-7]', async () => {
    const script = world.script([{ say: 'I wait.' }, { waitFor: world.path('go') }]);
    await world.sb(['run', 'first one', 'second one', '-d', '--script', script]);
    const tty = sit(world, ['ps', '-w'], { columns: 80, rows: 24 });
    await tty.shows(/^> first-one +working/m);
    await tty.shows('↑↓ move  enter open  i interrupt  s stop  a answer  q leave');
    tty.type('\u001b[B');
    await tty.shows(/^> second-one +working/m);
    tty.type('a');
    await tty.shows('second-one asks nothing');
    tty.type('s');
    await tty.shows('stop second-one? y/n');
    tty.type('n');
    await tty.shows('↑↓ move');
    tty.type('\r');
    await tty.shows('Type a line to steer the agent.');
    tty.type('\u0003');
    await tty.shows(/reattach:[^]*^> second-one +working/m);
    expect(tty.shown()).not.toContain('the daemon exited');
    tty.type('sy');
    await tty.shows(/^ {2}second-one +stopped|^> second-one +stopped/m);
    world.touch('go');
    await tty.shows(/first-one +done/);
    tty.type('q');
    expect(await tty.ended).toBe(0);
    expect(tty.screen.strange).toEqual([]);
  });

  it('answer what an agent asks [TTY-7]', async () => {
    const script = world.script([{ write: { path: 'a.txt', text: 'a' }, ask: true }]);
    const args = ['run', 'asks', '-d', '--ask', 'Write', '--script', script];
    await world.sb(args);
    const tty = sit(world, ['ps', '-w'], { columns: 80, rows: 24 });
    await tty.shows(/^> asks +needs you/m);
    tty.type('a');
    await tty.shows(/content: a\nallow it\? yes\/no/);
    tty.type('y\r');
    await tty.shows(/asks +done/);
    tty.type('q');
    expect(await tty.ended).toBe(0);
  });

  it.each([
    ['leaving', 'q', '0'],
    ['Ctrl-C', '\u0003', '130'],
    ['SIGTERM', null, '143'],
  ])('give the terminal back as it was after %s [TTY-8]', async (_name, key, code) => {
    const script = world.script([{ waitFor: world.path('go') }]);
    await world.sb(['run', 'one', '-d', '--script', script]);
    // The shell says how the terminal is set before and after.
    const pid = world.path('pid');
    const command = `stty -g; ${process.execPath} ${mainFile} ps -w & echo $! >${pid}; fg >/dev/null; echo "code $?"; stty -g`;
    const tty = sitAt(world, ['bash', '-c', `set -m; ${command}`], { columns: 100, rows: 24 });
    await tty.shows(/^> one +working/m);
    if (key === null) {
      const { readFileSync } = await import('node:fs');
      process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM');
    } else tty.type(key);
    await tty.ended;
    const modes = tty.shown().match(/^[0-9a-f]+(:[0-9a-f]+){10,}$/gm) ?? [];
    expect(modes).toHaveLength(2);
    expect(modes[1]).toBe(modes[0]);
    expect(tty.shown()).toContain(`code ${code}`);
    world.touch('go');
    await until(async () => (await world.sb(['ps'])).stdout.includes('No run is active'), { what: 'its end' });
  });
});
