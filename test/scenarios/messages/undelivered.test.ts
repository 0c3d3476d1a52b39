// Messages to a task whose work is being checked: an agent is told if its message will not be read, a person's message is
// delivered.

import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MessageList } from '../../../src/wire/message-views.ts';
import { until } from '../../until.ts';
import { answersTo, call, idOf, type Step, submitChildren, toldTo } from '../children/children-world.ts';
import { endedRun } from '../crash/storm-daemon.ts';
import { recordOf } from '../crash/storm-record.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';

let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

/** The work of each task is checked for as long as the file `go` is not there. */
async function submitChecked(scripts: Readonly<{ [name: string]: readonly Step[] }>): Promise<string> {
  const script = `touch '${world.path('checking')}'; until test -e '${world.path('go')}'; do sleep 0.1; done`;
  const checks = [{ name: 'slow', argv: ['sh', '-c', script], timeoutMs: 60_000 }];
  const { id } = await submitChildren(world, scripts, { all: { checks, sandbox: 'none' } });
  return id;
}

const isChecking = () => until(() => existsSync(world.path('checking')), { timeoutMs: 30_000, what: 'the check' });

it('an agent is told once that its message was not read, also when Signalbox is killed in between [CHILD-24]', async () => {
  const id = await submitChecked({
    worker: [{ turn: 'done' }],
    writer: [
      { waitFor: world.path('checking') },
      call('send_message', { to: 'worker', text: 'Mind the second file too.' }),
      { write: { path: world.path('sent'), text: '' } },
      { listen: true },
      { turn: 'heard' },
    ],
  });
  await isChecking();
  await until(() => existsSync(world.path('sent')), { timeoutMs: 30_000, what: 'the message' });
  await world.killDaemon();
  writeFileSync(world.path('go'), '');
  await world.up();
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  const [sent] = answersTo(record, 'writer', 'send_message');
  expect(sent?.text).toContain('Its work is being checked: it reads this only if it has to go on');
  const reports = toldTo(world, record, 'writer').filter((text) => text.includes('Not delivered'));
  expect(reports).toHaveLength(1);
  expect(reports[0]).toContain('type="not-delivered"');
  expect(reports[0]).toContain('> Not delivered to "worker", which ended (succeeded) before it read:');
  expect(reports[0]).toContain('> message_1: Mind the second file too.');
  expect(toldTo(world, record, 'worker').join('')).not.toContain('Mind the second file');
  const { messages } = JSON.parse((await world.sb(['messages', id, '--dead', '--json'])).stdout) as MessageList;
  expect(messages).toMatchObject([
    { id: 'message_1', to: 'worker', why: expect.stringContaining('before reading it') },
  ]);
});

it("a person's message to a task that is being checked reaches its agent, which goes on before the task ends [HAND-1]", async () => {
  const id = await submitChecked({ worker: [{ turn: 'done' }, { turn: 'done again' }] });
  await isChecking();
  const { code, stderr } = await world.sb(['send', 'worker', 'Add a test for it.']);
  expect(code, stderr).toBe(0);
  writeFileSync(world.path('go'), '');
  expect((await endedRun(world, id)).outcome).toBe('succeeded');
  const record = await recordOf(world, id);
  expect(toldTo(world, record, 'worker')[1]).toBe('Add a test for it.');
  const worker = idOf(record, 'worker');
  expect(record.of('attempt.started')).toMatchObject([
    { taskId: worker },
    { taskId: worker, continues: expect.any(String) },
  ]);
  expect(record.of('task.ended')).toHaveLength(1);
});
