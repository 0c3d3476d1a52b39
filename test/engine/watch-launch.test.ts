// What following a launch journals, and what it does not.

import { describe, expect, it } from 'vitest';
import { watchLaunch } from '../../src/engine/watch/watch-launch.ts';
import type { Command } from '../../src/model/core/command.ts';
import type { Run } from '../../src/model/core/run.ts';
import type { AgentEvent } from '../../src/model/session/agent-fact.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import type { Harness } from '../../src/ports/harness.ts';
import type { LineBatch } from '../../src/ports/launch-port.ts';
import { textPart } from '../../src/std/characters.ts';
import { openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { atWork, finish, readInput, spawn } from '../model/children-story.ts';
import { attempt, launched, type Story, submitted, task } from '../model/story.ts';
import { alone, quietWorld } from './quiet-world.ts';

/** Follows a launch that prints these batches and then ends; returns the commands that were sent. */
async function follow(
  batches: readonly LineBatch[],
  {
    accept = true,
    before = '',
    meanwhile = (_: Story): void => {},
    read = undefined as Harness['read'] | undefined,
  } = {},
) {
  const story = submitted(task('a'));
  launched(story, 'a');
  const run = readRun(writeRun(story.run));
  meanwhile(story);
  const { ports } = quietWorld(openMemoryJournal());
  const sent: Command[] = [];
  const told: string[] = [];
  const launches = {
    ...ports.launches,
    async watch(_id: string, _offset: number, onLines: (batch: LineBatch) => Promise<void>) {
      for (const batch of batches) await onLines(batch);
      return { kind: 'ended', status: 0 } as const;
    },
    readOut: async (_id: string, from: number, max: number) => textPart(before, from, max),
  };
  const context = {
    ports: { ...ports, launches },
    run,
    tell: (_id: string, { kind }: AgentEvent) => void told.push(kind),
    follow: () => undefined,
    signal: new AbortController().signal,
    ...alone,
    lookRun: async <T>(_: string, read: (run: Run) => T) => read(story.run),
    async send(command: Command) {
      sent.push(command);
      return accept
        ? ({ kind: 'accepted' } as const)
        : ({ kind: 'refused', refusal: { kind: 'stale', reason: 'read further' } } as const);
    },
  };
  const live = run.live.get(attempt('a'));
  const harness = ports.harness('scripted');
  if (live === undefined || live.launches.current === null || harness === null) throw new Error('it is there');
  live.launches.current.offset = before.length;
  return { sent, told, end: await watchLaunch(context, read === undefined ? harness : { ...harness, read }, live) };
}

const noise = '{"type":"assistant"}';
const session = '{"type":"system","subtype":"init","session_id":"s"}';
const says = (text: string) => JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });

describe('following a launch', () => {
  it('journals facts with the offset they were read to, and no offset for lines that change nothing [LAU-6]', async () => {
    const { sent, end } = await follow([
      { lines: [noise], end: 100 },
      { lines: [noise, session], end: 200 },
      { lines: [noise], end: 300 },
    ]);
    expect(sent).toMatchObject([{ type: 'output', from: 0, to: 200, facts: [{ kind: 'session', session: 's' }] }]);
    expect(end).toMatchObject({ type: 'down', status: 0 });
  });

  it('reports open calls at the end, also those from before the journalled offset [LAU-8]', async () => {
    const called = (id: string, command: string) =>
      JSON.stringify({
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
      });
    const { end } = await follow([
      { lines: [called('a', 'npm publish'), session], end: 100 },
      { lines: [called('b', 'sleep 9')], end: 200 },
    ]);
    expect(end).toMatchObject({ type: 'down', inFlight: ['Bash: npm publish', 'Bash: sleep 9'] });
  });

  it('reports the last words of a turn whose end is held back by a killed command [TELL-1]', async () => {
    const runs = {
      type: 'system',
      subtype: 'task_started',
      task_id: 'b',
      description: 'sleep 9',
      is_backgrounded: true,
    };
    const failed = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      result: 'The turn was interrupted.',
    };
    const { end } = await follow([
      { lines: [says('So far: one.'), JSON.stringify(runs), JSON.stringify(failed)], end: 100 },
    ]);
    expect(end).toMatchObject({ turn: { kind: 'failed', said: 'So far: one.' } });
  });

  it('reports it also if it was said before the journalled offset [TELL-1]', async () => {
    const heard = JSON.stringify({
      type: 'user',
      message: { role: 'user', content: 'go' },
      uuid: 'record_m',
      isReplay: true,
    });
    const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');
    const failed = JSON.stringify({ type: 'result', subtype: 'error_during_execution', is_error: true, result: '' });
    const [former, words] = [says('In the turn before.'), says('So far: one.')];
    const after = (before: string, ...said: string[]) =>
      follow(said.length === 0 ? [] : [{ lines: said, end: before.length + 100 }], { before });
    expect((await after(lines(former, heard, words))).end).toMatchObject({ unfinished: { said: 'So far: one.' } });
    expect((await after(lines(former, heard))).end).not.toHaveProperty('unfinished');
    const { sent } = await after(lines(heard, words), failed);
    const facts = sent.flatMap((command) => (command.type === 'output' ? command.facts : []));
    expect(facts.at(-1)).toMatchObject({ kind: 'turnEnded', turn: { kind: 'failed', said: 'So far: one.' } });
  });

  it('reports the last words of a turn that the process ended in the middle of [TELL-1]', async () => {
    const { end } = await follow([{ lines: [says('So far: one.'), says('So far: two.')], end: 100 }]);
    expect(end).toMatchObject({ type: 'down', turn: null, unfinished: { said: 'So far: two.' } });
    expect((await follow([{ lines: [session], end: 100 }])).end).not.toHaveProperty('unfinished');
  });

  it('refuses at once a request that nobody would answer [HAR-8]', async () => {
    const asks = (requestId: string, request: object) =>
      JSON.stringify({ type: 'control_request', request_id: requestId, request });
    const rpc = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'spawn', arguments: {} } };
    const { sent } = await follow([
      { lines: [asks('one', { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'x' } })], end: 90 },
      { lines: [asks('big', { subtype: 'can_use_tool', tool_name: 'Write', input: 'x'.repeat(600_000) })], end: 100 },
      { lines: [asks('two', { subtype: 'mcp_message', server_name: 'signalbox', message: rpc })], end: 200 },
      { lines: [asks('three', { subtype: 'hook_callback', callback_id: 'x', input: {} })], end: 300 },
    ]);
    const replies = sent.flatMap((command) => (command.type === 'output' ? command.replies : []));
    const facts = sent.flatMap((command) => (command.type === 'output' ? command.facts : []));
    // Of that a person is asked.
    expect(facts.filter(({ kind }) => kind !== 'blocked')).toMatchObject([
      { kind: 'permissionRequest', requestId: 'one', tool: 'Bash', input: { command: 'x' } },
      { kind: 'call', requestId: 'two', rpcId: 7, request: { tool: 'answered', name: 'spawn', isError: true } },
    ]);
    expect(replies.map((record) => JSON.parse(record).response)).toMatchObject([
      { request_id: 'big', response: { behavior: 'deny', message: expect.stringContaining('in parts') } },
      { request_id: 'three', subtype: 'success' },
    ]);
  });

  it('answers by the current run, though its copy was reloaded since it began to follow [ENG-3]', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'read_output', arguments: { task: 'b' } },
    };
    const request = { subtype: 'mcp_message', server_name: 'signalbox', message };
    const line = JSON.stringify({ type: 'control_request', request_id: 'r', request });
    const meanwhile = (story: Story): void => {
      readInput(story, 'a');
      spawn(story, 'a', 'b');
      atWork(story, 'b');
      finish(story, 'b', 'It is the cache.');
    };
    const { sent } = await follow([{ lines: [line], end: 100 }], { meanwhile });
    const facts = sent.flatMap((command) => (command.type === 'output' ? command.facts : []));
    expect(facts).toMatchObject([{ kind: 'call', request: { text: expect.stringContaining('> It is the cache.') } }]);
  });

  it('reports each line that is cut or not UTF-8, once, and reads on [PROC-8]', async () => {
    const batch: LineBatch = {
      lines: [noise, session, '{"cut', noise],
      end: 200,
      flaws: [
        { index: 1, flaw: 'invalid_utf8' },
        { index: 2, flaw: 'oversize' },
      ],
    };
    const { sent, told } = await follow([batch]);
    expect(sent).toMatchObject([{ facts: [{ kind: 'session' }] }]);
    expect(told.filter((kind) => kind === 'garbage')).toHaveLength(2);
  });

  it('journals the offset alone after 4 MiB of lines that change nothing [LAU-6]', async () => {
    const { sent } = await follow([
      { lines: [noise], end: 4 << 20 },
      { lines: [noise], end: (4 << 20) + 100 },
    ]);
    expect(sent).toMatchObject([{ type: 'output', from: 0, to: 4 << 20, facts: [] }]);
  });

  it('starts again from the journal when another process has read further [LAU-5]', async () => {
    const { sent, end } = await follow(
      [
        { lines: [session], end: 10 },
        { lines: [session], end: 20 },
      ],
      { accept: false },
    );
    expect(sent).toHaveLength(1);
    expect(end).toBeNull();
  });

  it('skips lines at which the harness fails, and stops an agent that prints several [LAU-9]', async () => {
    const read: Harness['read'] = (state, line) => {
      if (line === 'bad') throw new RangeError('too much of it');
      return { state, events: line === 'good' ? [{ kind: 'session', session: 's' }] : [], replies: [] };
    };
    const two = await follow([{ lines: ['bad', 'good', 'bad'], end: 13 }], { read });
    expect(two.sent).toMatchObject([{ type: 'output', facts: [{ kind: 'session' }], to: 13 }]);
    expect(two.end).toMatchObject({ type: 'down', status: 0 });
    const many = await follow(
      [
        { lines: ['bad', 'bad', 'good', 'bad'], end: 17 },
        { lines: ['bad'], end: 21 },
      ],
      { read },
    );
    const detail = '3 lines of its output could not be read: too much of it';
    expect(many.sent).toMatchObject([
      { type: 'output', to: 17 },
      { type: 'exceeded', reason: 'invalid-output', detail },
    ]);
  });
});
