// Live progress on a real terminal: what a person sees while a run goes on, and what stays when it is over.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { hasPty, sit } from './terminal-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '2' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const nasty = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m \u202e日本語日本語 and so on';

describe.runIf(hasPty)('a run on a terminal', () => {
  it('has a row per agent, running ones first, and ends with the summary alone [TTY-1]', async () => {
    const quick = world.script([{ say: 'short' }]);
    const slow = world.script([
      { context: 83_000 },
      { say: 'I look around.' },
      { tool: { name: 'Read', input: {} } },
      { waitFor: world.path('go') },
      { usage: { input_tokens: 1_500, output_tokens: 500, cost_usd: 0.25 } },
    ]);
    const scripts = [quick, slow, slow].flatMap((path) => ['--script', path]);
    const tty = sit(world, ['run', 'quick', 'slow one', 'later', '--needs', '3:2', ...scripts], { columns: 140 });
    await tty.shows(/^quick +done /m);
    await tty.shows(/^slow-one +working .* until \[ -e .*I look around\.$/m);
    const [agent, ...lines] = tty.screen.lines();
    const at = (text: string): number => lines.findIndex((line) => line.startsWith(text));
    expect(agent).toBe('Agent: the scripted agent (--script: it calls no model)');
    expect(lines[0]).toBe('quick-and-2-more');
    expect(at('AGENT')).toBe(1);
    expect([at('slow-one'), at('later'), at('quick ')]).toEqual([2, 3, 4]);
    expect(lines[2]).toMatch(/^slow-one +working +\d+s .* 83\.0k /);
    expect(lines[3]).toMatch(/^later +waiting +needs slow-one$/);
    expect(lines[5]).toMatch(/^1 working, 1 waiting, 1 done, \d+s/);
    expect(lines[6]).toBe('Ctrl-C leaves; the run continues');
    world.touch('go');
    expect(await tty.ended).toBe(0);
    const end = tty.shown();
    expect(end).toContain('succeeded: 3 of 3 tasks');
    expect(end).not.toContain('AGENT');
    expect(end.split('\n')[2]).toMatch(/^succeeded/);
    expect(tty.screen.strange).toEqual([]);
  });

  it('shows control characters of an agent by number, and cuts what is too wide [CLI-8] [TTY-2]', async () => {
    const script = world.script([{ say: nasty }, { waitFor: world.path('go') }]);
    const tty = sit(world, ['run', 'evil', '--script', script], { columns: 118, rows: 8 });
    await tty.shows('<U+001B>]0');
    expect(tty.bytes()).not.toContain('\u001b]0;');
    expect(
      Math.max(
        ...tty.screen
          .lines()
          .slice(1)
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(118);
    world.touch('go');
    expect(await tty.ended).toBe(0);
    expect(tty.screen.strange).toEqual([]);
    expect(tty.bytes()).not.toMatch(/\u202e/);
  });

  it('writes when something changed, and at most eight times a second [TTY-2]', async () => {
    const script = world.script([{ say: 'hm' }, { waitFor: world.path('go') }]);
    const tty = sit(world, ['run', 'calm', '--script', script]);
    await tty.shows(/^calm +working .*until/m);
    // By then all that comes with the agent's first words has been drawn.
    await tty.shows(/^calm +working +([3-9]|\d\d)s/m);
    const before = frames(tty.bytes());
    const from = performance.now();
    await until(() => frames(tty.bytes()) >= before + 3, { what: 'three frames' });
    // Only the elapsed time changes, once a second.
    expect(performance.now() - from).toBeGreaterThan(1_500);
    world.touch('go');
    await tty.ended;
  });

  it('follows the size of the terminal, and leaves nothing of the former one [TTY-2]', async () => {
    const script = world.script([{ say: `words ${'and words '.repeat(30)}` }, { waitFor: world.path('go') }]);
    const prompts = ['one', 'two', 'three', 'four', 'five', 'six'];
    const tty = sit(world, ['run', ...prompts, '--script', script], { columns: 120, rows: 30 });
    await tty.shows(/^two +working .*until/m);
    await tty.shows(/^one +working .*until/m);
    tty.resize(40, 30);
    await tty.shows(/^one +working +\d+s {2}W?.{1,20}…$/m);
    const narrow = tty.screen.lines().filter((line) => line !== '');
    expect(narrow.filter((line) => line.startsWith('AGENT'))).toHaveLength(1);
    // The agent's line takes two rows of 40 columns.
    expect(narrow).toHaveLength(2 + 1 + 1 + 6 + 2);
    tty.resize(100, 6);
    await tty.shows('… and ');
    world.touch('go');
    expect(await tty.ended).toBe(0);
    expect(tty.shown()).toContain('succeeded: 6 of 6 tasks');
  });

  it('ends with Ctrl-C and a sentence on how to come back, and the run goes on [CLI-3] [TTY-3]', async () => {
    const script = world.script([{ waitFor: world.path('go') }]);
    const tty = sit(world, ['run', 'long', '--script', script]);
    await tty.shows(/^long +working/m);
    tty.type('\u0003');
    expect(await tty.ended).toBe(130);
    const [, id = ''] = /watch it: signalbox ps --watch (run_\w+)/.exec(tty.shown()) ?? [];
    expect(tty.shown()).toContain('The run continues without this terminal.');
    expect(tty.shown()).toMatch(/^long +working/m);
    const back = sit(world, ['ps', '--watch', id]);
    await back.shows(/^long +working/m);
    world.touch('go');
    expect(await back.ended).toBe(0);
    expect(back.shown()).toContain('succeeded: 1 of 1 tasks');
  });

  it('keeps showing over the death of the daemon [CLI-3]', async () => {
    const script = world.script([{ waitFor: world.path('go') }]);
    const tty = sit(world, ['run', 'long', '--script', script]);
    await tty.shows(/^long +working/m);
    await world.killDaemon();
    await tty.shows('the daemon exited; started it again');
    await tty.shows(/^long +working/m);
    world.touch('go');
    expect(await tty.ended).toBe(0);
    expect(tty.shown().match(/AGENT/g)).toBe(null);
  });

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }, true],
    ['TERM=dumb', { TERM: 'dumb' }, false],
  ])('with %s has no colour, and draws in place only where it can [TTY-4]', async (_name, env, live) => {
    const script = world.script([{ say: 'hm' }, { waitFor: world.path('go') }]);
    const tty = sit(world, ['run', 'grey', '--script', script], { env });
    await tty.shows(live ? /^grey +working/m : /grey {2}started/);
    world.touch('go');
    expect(await tty.ended).toBe(0);
    expect(tty.screen.coloured).toBe(false);
    if (!live) expect(tty.bytes()).not.toContain('\u001b');
  });
});

describe.runIf(hasPty)('ps --watch', () => {
  it('shows all runs together, those that ended meanwhile too, until Ctrl-C [TTY-1]', async () => {
    const first = world.script([{ waitFor: world.path('one') }]);
    const second = world.script([{ waitFor: world.path('two') }]);
    await world.sb(['run', 'alpha', '-d', '--script', first]);
    const tty = sit(world, ['ps', '-w']);
    await tty.shows(/^> alpha +working/m);
    await world.sb(['run', 'beta', '-d', '--script', second]);
    await tty.shows(/^ {2}beta\/beta +working/m);
    expect(tty.screen.coloured).toBe(true);
    world.touch('one');
    await tty.shows(/^ {2}beta\/beta +working[^\n]*\n> alpha\/alpha +done/m);
    world.touch('two');
    await tty.shows(/2 done/);
    tty.type('\u0003');
    expect(await tty.ended).toBe(130);
    expect(tty.screen.strange).toEqual([]);
  });

  it('without a terminal is a line for each change', async () => {
    const script = world.script([{ waitFor: world.path('go') }]);
    await world.sb(['run', 'alpha', '-d', '--script', script]);
    const cli = world.start(['ps', '--watch']);
    await cli.says('alpha/alpha  running');
    world.touch('go');
    await cli.says('alpha/alpha  succeeded');
    process.kill(cli.pid, 'SIGINT');
    const { stdout } = await cli.ended;
    expect(stdout).not.toContain('\u001b');
  });
});

function frames(bytes: string): number {
  return bytes.split('\u001b[?7h').length - 1;
}
