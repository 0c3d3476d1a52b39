// Messages between agents as a person sees them: delivery status, one of them whole, and whether it was changed.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Verification } from '../../../src/cli/client/context.ts';
import type { MessageContent, MessageList } from '../../../src/wire/message-views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { rewriteJournal } from '../evidence/rewrite-journal.ts';
import { runEnd, submit } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
let runId: string;

const evil = '\u001b]0;owned\u0007\u001b[31mThe build is red.\nseal    good';

beforeAll(async () => {
  world = openWorld();
  await world.up();
  const scripted = (name: string, steps: readonly object[], needs: string[] = []) => ({
    name,
    prompt: name,
    needs,
    settings: { script: JSON.stringify(steps) },
  });
  const send = (to: string, text: string) => ({ call: { tool: 'mcp__signalbox__send_message', input: { to, text } } });
  const { id } = await submit(
    world,
    [
      scripted('reader', [{ listen: true }, { say: 'read' }]),
      scripted('writer', [send('reader', evil), send('doomed', 'Nobody reads this.'), { run: 'exit 1' }]),
      scripted('doomed', [{ say: 'never' }], ['writer']),
    ],
    'mailing',
  );
  const run = await runEnd(world, id);
  expect(run.tasks.map(({ name, outcome }) => [name, outcome?.kind])).toEqual([
    ['reader', 'succeeded'],
    ['writer', 'failed'],
    ['doomed', 'skipped'],
  ]);
  runId = id;
});
afterAll(() => world.close());

async function read(...args: string[]): Promise<MessageContent> {
  return JSON.parse((await world.sb(['messages', 'mailing', ...args, '--json'])).stdout) as MessageContent;
}

it('all messages are listed with their delivery status, and the dead ones alone [MSG-1] [MSG-3]', async () => {
  const { code, stdout, stderr } = await world.sb(['messages', 'mailing']);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^MESSAGE +WHEN +FROM +TO +KIND +STATE +SIZE +TEXT\n/);
  expect(stdout).toMatch(
    /^message_1 +[\d: -]+ +writer +reader +message +delivered +\d+ +<U\+001B>\]0;owned<U\+0007><U\+001B>\[31mThe build/m,
  );
  expect(stdout).toMatch(/^message_2 +[\d: -]+ +writer +doomed +message +dead +18 +Nobody reads this\.$/m);
  expect(stdout).not.toContain('\u001b');
  const { messages } = JSON.parse((await world.sb(['messages', runId, '--dead', '--json'])).stdout) as MessageList;
  expect(messages).toEqual([
    expect.objectContaining({
      id: 'message_2',
      to: 'doomed',
      why: expect.stringContaining('the receiving task ended (skipped)'),
    }),
  ]);
});

it('one message is shown whole under its envelope, with its seal [MSG-2] [MSG-3]', async () => {
  const { code, stdout } = await world.sb(['messages', 'mailing', 'message_1']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^message +message_1, event \d+$/m);
  expect(stdout).toMatch(/^from +writer \(agent_\S+\)$/m);
  expect(stdout).toMatch(/^state +delivered$/m);
  expect(stdout).toMatch(/^seal +good$/m);
  expect(stdout).toMatch(/\n\n {2}<U\+001B>\]0;owned<U\+0007><U\+001B>\[31mThe build is red\.\n {2}seal {4}good\n$/);
  expect(stdout).not.toContain('\u001b');
  const message = await read('1');
  expect(message).toMatchObject({ text: evil, seal: 'good', trust: 'agent', runId });
  expect(JSON.parse(message.envelope?.sealed ?? '')).toMatchObject({
    run: runId,
    seq: message.seq,
    type: 'message.sent',
  });
  const unknown = await world.sb(['messages', 'mailing', 'message_3']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean message_')]);
});

it('a message that was changed in the journal is reported, by itself and by verify [SEAL-2] [SEAL-3] [MSG-2]', async () => {
  const verify = async (): Promise<Verification> =>
    JSON.parse((await world.sb(['verify', runId, '--json'])).stdout) as Verification;
  const before = await verify();
  expect(before.defects).toEqual([]);
  const sealed = before.verified.find(({ detail }) => detail.includes(', key SHA256:'))?.detail ?? '';
  await world.sb(['down']);
  rewriteJournal(join(world.home, 'journal.db'), runId, (events) =>
    events.map((event) =>
      event.type === 'message.sent' ? { ...event, data: event.data.replace('build is red', 'build is fine') } : event,
    ),
  );
  const { verified, defects } = await verify();
  expect(defects).toHaveLength(1);
  expect(defects[0]?.detail).toBe('has an invalid seal: message_1, message from "writer" to "reader"');
  expect(verified.find(({ detail }) => detail.includes(', key SHA256:'))?.detail).toMatch(
    new RegExp(`^${Number.parseInt(sealed, 10) - 1} valid seals?,`),
  );
  const shown = await world.sb(['messages', 'mailing', 'message_1']);
  expect([shown.code, shown.stdout]).toEqual([1, expect.stringMatching(/^seal +BAD: the message was changed/m)]);
  expect(await read('message_2')).toMatchObject({ seal: 'good' });
});
