// Calling a person: the bell, a desktop's notification and a command of theirs, for each thing once.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { withJournal } from '../crash/storm-record.ts';
import { openWorld, readOr, type World } from '../daemon/daemon-world.ts';
import { nextAsk } from '../world/inbox-world.ts';
import { hasPty, sit } from './terminal-world.ts';

let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

interface Told {
  readonly kind: string;
  readonly task: string | null;
  readonly words: string;
}

function told(): Told[] {
  const lines = world.text('told').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Told);
}

/** How many notices are journalled as sent. */
function confirmed(): Promise<number> {
  return withJournal(world, async (journal) => {
    const events = await journal.read('host/local', 0, 1_000);
    return events.filter(({ type }) => type === 'notice.sent').length;
  });
}

describe('a command of the user', () => {
  it('gets each notice once as JSON, also if several terminals watch [NOTE-1] [NOTE-3]', async () => {
    const env = { SIGNALBOX_NOTIFY: `cat >>'${world.path('told')}'` };
    const script = world.script([{ run: 'true', ask: true }, { fail: 'auth' }]);
    Object.assign(world.env, env);
    await world.sb(['run', 'work', '-d', '--ask', 'Bash', '--script', script]);
    const watchers = [world.start(['ps', '--watch']), world.start(['ps', '--watch'])];
    const { id } = await nextAsk(world);
    await until(() => told().length === 1, { timeoutMs: 20_000, what: 'the question to be told' });
    expect(told()[0]).toMatchObject({ kind: 'asks', task: 'work', key: `asks ${id}` });
    await world.sb(['approve', id]);
    await until(() => told().length === 3, { timeoutMs: 20_000, what: 'failure and end to be told' });
    for (const watcher of watchers) await watcher.says('failed (auth)');
    for (const { pid } of watchers) process.kill(pid, 'SIGINT');
    for (const { ended } of watchers) await ended;
    expect(
      told()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['asks', 'ended', 'failed']);
    // Past events ring no bell for a later client.
    const late = world.start(['ps', '--watch', 'work']);
    expect((await late.ended).code).toBe(1);
    expect(told()).toHaveLength(3);
  });

  it('that fails is logged with its output, spoils no other output and stops nothing [NOTE-3]', async () => {
    const script = world.script([{ fail: 'auth' }]);
    const env = { SIGNALBOX_NOTIFY: 'echo noise; exit 3' };
    const { code, stdout } = await world.sb(['run', 'a', '--script', script, '--json'], { env });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed' });
    const logged = () =>
      readOr(join(world.home, 'daemon.log'))
        .split('\n')
        .filter((line) => line.includes('notification failed'));
    await until(() => logged().length === 2, { timeoutMs: 20_000, what: 'failure and end to be logged' });
    for (const line of logged()) expect(JSON.parse(line)).toMatchObject({ flaw: 'ended with 3', output: 'noise\n' });
  });

  it('gets each notice of a detached run once, also if the daemon is killed between them [NOTE-4]', async () => {
    Object.assign(world.env, { SIGNALBOX_NOTIFY: `cat >>'${world.path('told')}'` });
    const script = world.script([{ run: 'true', ask: true }, { waitFor: world.path('go') }]);
    await world.sb(['run', 'work', '-d', '--ask', 'Bash', '--script', script]);
    const { id } = await nextAsk(world);
    await until(async () => (await confirmed()) === 1, { timeoutMs: 20_000, what: 'the question to be told' });
    await world.killDaemon();
    await world.up();
    await world.sb(['approve', id]);
    await world.killDaemon();
    world.touch('go');
    await world.up();
    await until(async () => (await confirmed()) === 2, { timeoutMs: 20_000, what: 'the end to be told' });
    await world.killDaemon();
    await world.up();
    expect(told().map(({ kind }) => kind)).toEqual(['asks', 'ended']);
  });
});

describe.runIf(hasPty)('on a terminal', () => {
  it('a task that needs a person stands first and rings once; off is silent [NOTE-1] [TTY-1]', async () => {
    const asking = world.script([{ run: 'true', ask: true }]);
    const plain = world.script([{ waitFor: world.path('go') }]);
    const scripts = ['--script', plain, '--script', asking, '--ask', 'Bash'];
    const tty = sit(world, ['run', 'plain', 'asking', ...scripts]);
    const { id } = await nextAsk(world);
    await tty.shows(/^asking +needs you .*may it use Bash\? .*\nplain +working/m);
    await tty.shows('needs you: signalbox inbox');
    await until(() => tty.screen.bells === 1, { what: 'a bell' });
    const quiet = sit(world, ['ps', '-w', 'plain'], { env: { SIGNALBOX_NOTIFY: 'off' } });
    await quiet.shows(/^asking +needs you/m);
    await world.sb(['approve', id]);
    world.touch('go');
    expect(await tty.ended).toBe(0);
    expect(await quiet.ended).toBe(0);
    expect(quiet.screen.bells).toBe(0);
    expect(tty.screen.strange).toEqual([]);
  });

  it('a desktop notification is sent by a program with arguments, not by a shell [NOTE-2]', async () => {
    const bin = world.path('bin');
    mkdirSync(bin);
    const program = join(bin, 'notify-send');
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" >>'${world.path('told')}'\n`);
    chmodSync(program, 0o755);
    const script = world.script([{ fail: '"$(touch owned)" <b>' }]);
    const env = { PATH: `${bin}:${world.env['PATH']}`, DISPLAY: ':9' };
    const tty = sit(world, ['run', 'bad', '--script', script], { env });
    expect(await tty.ended).toBe(1);
    expect(world.text('told')).toContain('signalbox: bad/bad\n');
    expect(world.text('told')).toContain('$(touch owned)');
    expect(world.text('told')).toContain('&lt;b&gt;');
  });
});
