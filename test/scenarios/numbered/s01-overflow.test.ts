// S1: overflow. However much its workers report at once, a parent gets little of each and little in one turn; every report is
// on disk to the last character, where the notification says.

import { existsSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { notificationsIn, sha, toldTo, wholeOf } from '../children/child-messages.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { mib, recordOf, runEnd, submit, taskNamed } from '../spending/limits-world.ts';

let world: World;

afterEach(() => world.close());

/** Many real processes on few cores. */
const timeoutMs = 110_000;
const [messageMax, turnMax] = [2_000, 16_000];

for (const workers of [7, 36]) {
  it(`S1: ${workers} workers report 15,000 to 37,000 characters at once to one parent, which finishes [TELL-1]`, async () => {
    const sizes = Array.from({ length: workers }, (_, i) => 15_100 + Math.round((21_800 * i) / (workers - 1)));
    const reports = sizes.map((size, i) => linesOf(`What worker ${i} found at place {n} of many.`, size));
    world = openWorld({ SIGNALBOX_SLOTS: String(workers + 1) });
    const begun = reports.map((_, i) => world.path(`begun-${i}`));
    const scripts = reports.map(({ turn }, i) => [
      { write: { path: begun[i], text: '' } },
      { waitFor: world.path('go') },
      { turn },
    ]);
    const id = await begin(scripts);
    await until(() => begun.every((path) => existsSync(path)), { timeoutMs, what: 'all workers at work' });
    world.touch('go');
    const told = await expectAllTold(await runEnd(world, id, timeoutMs));
    for (const [i, { whole }] of reports.entries()) {
      expect(whole.length).toBeGreaterThanOrEqual(15_000);
      expect(whole.length).toBeLessThanOrEqual(37_000);
      expect(told.get(`w${i}`)).toBe(sha(whole));
    }
  });
}

it('S1: a report of 33 MiB in one line costs its parent no more than any other [TELL-1]', async () => {
  world = openWorld();
  const { turn, whole } = linesOf('x'.repeat(1_000), 33 * mib);
  expect(whole.length).toBeGreaterThanOrEqual(33 * mib);
  const told = await expectAllTold(await runEnd(world, await begin([[{ turn }]]), timeoutMs));
  expect(told.get('w0')).toBe(sha(whole));
});

/** Text in lines of at least so many characters, and the step of a script that ends a turn with it. */
function linesOf(text: string, characters: number): { readonly turn: object; readonly whole: string } {
  const lines: string[] = [];
  for (let size = 0; size < characters; ) {
    const line = text.replaceAll('{n}', String(lines.length + 1));
    lines.push(line);
    size += line.length + 1;
  }
  return { turn: { text, repeat: lines.length }, whole: lines.join('\n') };
}

/** A parent that asks for a worker with each of these scripts, and waits for all of them. */
async function begin(scripts: readonly (readonly object[])[]): Promise<string> {
  await world.up();
  const spawns = scripts.map((script, i) => ({
    call: {
      tool: 'mcp__signalbox__spawn_agent',
      input: { name: `w${i}`, prompt: `Report what you find as worker ${i}.`, script },
    },
  }));
  const script = [...spawns, { call: { tool: 'mcp__signalbox__wait' } }, { say: 'All are in.' }];
  const { id } = await submit(world, [
    { name: 'lead', prompt: 'Have it looked after.', settings: { script: JSON.stringify(script) } },
  ]);
  return id;
}

/**
 * The parent was notified of each worker once, within its bounds, and was not started again. Returns what is on disk of each.
 */
async function expectAllTold(run: RunView): Promise<Map<string, string>> {
  expect(run.outcome, JSON.stringify(run.tasks)).toBe('succeeded');
  const lead = taskNamed(run, 'lead');
  const record = await recordOf(world, run.id);
  expect(lead.attempts).toBe(1);
  expect(record.filter(({ type }) => type === 'agent.created')).toHaveLength(run.tasks.length);
  expect(record.filter(({ type }) => type === 'agent.sessionLost')).toEqual([]);
  const mail = toldTo(world, lead).filter((text) => text.includes('<task-notification'));
  expect(Math.max(...mail.map((text) => text.length))).toBeLessThanOrEqual(turnMax);
  const told = notificationsIn(mail);
  expect(Math.max(...told.map(({ text }) => text.length))).toBeLessThanOrEqual(messageMax);
  const others = run.tasks.filter(({ name }) => name !== 'lead').map(({ name }) => name);
  expect(told.map(({ task }) => task).toSorted()).toEqual(others.toSorted());
  return new Map(told.map(({ task, output }) => [task, sha(wholeOf(output ?? ''))]));
}
