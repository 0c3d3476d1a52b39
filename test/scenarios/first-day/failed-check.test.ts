// What people and agents read about a failed check: the failure, not the banner that was printed last.

import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const printed = `TAP version 13
ok 1 - adds
not ok 2 - rounds half up
  ---
  duration_ms: 0.5
  error: '3 == 2'
  expected: 2
  ...
# tests 2
# duration_ms 738.05
npm notice
npm notice New minor version of npm available!
npm notice
`;

/** A check that prints this and fails until the work is right. */
function printing(text: string): string {
  const file = world.path('printed.txt');
  writeFileSync(file, text);
  return `cat '${file}'; grep -q right work.txt`;
}

const script = (first: string, second: string) =>
  world.script([
    { write: { path: 'work.txt', text: first } },
    { say: 'Done.' },
    { turn: 'Again.' },
    { write: { path: 'work.txt', text: second } },
    { say: 'Fixed.' },
  ]);

it('the summary and review quote the failure and show the output without banners [EVID-5] [EVID-8] [EVID-9]', async () => {
  const args = ['--harness', 'command', '--argv', 'echo wrong >work.txt', '--retries', '0'];
  const ended = await world.sb(['run', 'round', ...args, '--check', printing(printed)]);
  expect(ended.code).toBe(1);
  const { task } = await world.only();
  for (const shown of [ended.stdout, (await world.sb(['review', task.id])).stdout]) {
    expect(shown).toContain('exit 1: not ok 2 - rounds half up: 3 == 2');
    expect(shown).toContain("|   error: '3 == 2'");
    expect(shown).not.toMatch(/npm notice|duration_ms|# tests/);
  }
});

it('an agent that is sent back is told the failure, and where the whole log is [EVID-6]', async () => {
  const ended = await world.sb([
    'run',
    'round',
    '--harness',
    'scripted',
    '--script',
    script('wrong\n', 'right\n'),
    '--check',
    printing(printed),
  ]);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  const { run, task } = await world.only();
  const told = (await recordOf(world, run.id)).flatMap((event) =>
    event.type === 'record.queued' && event.body.kind === 'text' ? [event.body.text] : [],
  );
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('check-failed: check ');
  expect(told[0]).toContain("> not ok 2 - rounds half up\n>   error: '3 == 2'");
  expect(told[0]).toMatch(/read_output \{"log": "[0-9a-f]{64}\.[0-9a-f]{8}\.log"\} reads all that it printed/);
  expect(told[0]).not.toContain('npm notice');
  expect(task.outcome).toMatchObject({ kind: 'succeeded' });
});

it('a check that prints nothing but banners is reported as such [EVID-9]', async () => {
  const args = ['--harness', 'command', '--argv', 'echo wrong >work.txt', '--retries', '0'];
  const ended = await world.sb(['run', 'round', ...args, '--check', printing('npm notice\nnpm notice New version\n')]);
  expect(ended.stdout).toContain('exit 1: it printed nothing but notices of its tools');
});
