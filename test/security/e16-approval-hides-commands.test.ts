// E15, E16: what a person approves is what runs. An agent puts a command into a control sequence, behind blanks or into
// characters without width; the inbox shows all of it and says so.

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromShown } from '../../src/std/plain-text.ts';
import type { World } from '../scenarios/daemon/daemon-world.ts';
import { nextAsk } from '../scenarios/world/inbox-world.ts';
import { shareDaemon } from '../scenarios/world/shared-world.ts';
import { until } from '../until.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '5' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(async () => {
  for (const { id } of await world.list()) await world.sb(['stop', id]);
  await until(() => world.agents().length === 0, { timeoutMs: 20_000, what: 'the agents to end' });
  await world.close();
});

// oxlint-disable-next-line no-control-regex -- that is what is looked for
const raw = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

async function asks(command: string): Promise<string> {
  const script = world.script([{ run: command, ask: true }]);
  const { code, stderr } = await world.sb(['run', 'x', '--script', script, '--sandbox', 'none', '--detach', '--json']);
  expect(code, stderr).toBe(0);
  return (await nextAsk(world)).id;
}

for (const [what, hide] of [
  ['an operating system command', (payload: string) => `echo ok\u001b]0;\n${payload}\n: \u0007`],
  ['a device control string', (payload: string) => `echo ok\u001bP\n${payload}\n: \u001b\\`],
] as const) {
  it(`the command hidden in ${what} is shown before it is approved, and it is what runs [SHOW-2] [SHOW-4]`, async () => {
    const mark = world.path('HIDDEN-RAN');
    const command = hide(`touch ${mark}`);
    const id = await asks(command);
    const { stdout } = await world.sb(['inbox']);
    expect(stdout).not.toMatch(raw);
    expect(stdout).toContain(`touch ${mark}`);
    expect(stdout).toContain('! it holds characters that a terminal obeys or does not show: <U+001B> escape');
    const shown = /^ {6}command: ([^]*?)\n {4}[^ ]/m.exec(stdout)?.[1]?.replaceAll('\n        ', '\n') ?? '';
    expect(fromShown(shown)).toBe(command);
    expect((await world.sb(['approve', id])).code).toBe(0);
    await until(() => existsSync(mark), { timeoutMs: 20_000, what: 'the approved command' });
  });
}

it('views of an agent and their JSON have no raw control character, and lose nothing [SHOW-1] [SHOW-3]', async () => {
  const nasty = 'a\u001b]0;PAYLOAD\u0007\u009b31m\u202eb\u2066\u200bc\u{e0041}';
  const script = world.script([{ say: nasty }, { run: `echo '${nasty}'`, ask: true }]);
  await world.sb(['run', nasty, '--name', 'odd', '--script', script, '--sandbox', 'none', '--detach', '--json']);
  await nextAsk(world);
  const views = [['inbox'], ['ps'], ['logs'], ['events'], ['review'], ['status']];
  for (const view of [...views, ...views.filter(([verb]) => verb !== 'logs').map((each) => [...each, '--json'])]) {
    const { stdout, stderr } = await world.sb(view);
    expect(stdout + stderr, view.join(' ')).not.toMatch(raw);
    if (['inbox', 'logs', 'events'].includes(view[0] ?? '')) expect(stdout, view.join(' ')).toContain('PAYLOAD');
  }
  const { asks: open } = JSON.parse((await world.sb(['inbox', '--json'])).stdout);
  expect(open[0].permission.input.command).toBe(`echo '${nasty}'`);
});

it('an argument of 10,000 characters is shown whole, and it says that it is long [SHOW-4]', async () => {
  const command = `echo ${'x'.repeat(10_000)}; touch LAST`;
  await asks(command);
  const { stdout } = await world.sb(['inbox']);
  expect(stdout).toContain(command);
  expect(stdout).toContain('! it is long: 10.0k characters, all shown above');
});
