// Mail between two runs, as the model decides it: held until a person has agreed, once for both; then carried over, each message once.

import { describe, expect, it } from 'vitest';
import { consentAskedFor } from '../../src/model/asks/find-asks.ts';
import type { AskId } from '../../src/model/core/ids.ts';
import { envelope } from '../../src/model/messages/envelope.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { down, type Story, saved, taskId, turned } from './story.ts';
import { call, carryAll, carryOne, inboxOf, replay, runOf, write } from './two-runs.ts';

const gate: AskId = 'ask_ann-c1';

function answerAsk(approved: boolean, by = 'pat', askId = gate, message: string | null = null) {
  return { type: 'answerAsk', askId, approved, by, message, remember: null } as const;
}

function typesOf(story: Story, ...types: string[]): string[] {
  return story.events.map(({ type }) => type).filter((type) => types.includes(type));
}

function pair(more: Parameters<typeof runOf>[2] = {}): [Story, Story] {
  return [runOf('run_a', ['ann', 'art'], more), runOf('run_b', ['bob', 'ben'], more)];
}

function fails(story: Story, name: string): void {
  turned(story, name, false);
  down(story, name, 1);
  saved(story, name);
}

async function agreed(more: Parameters<typeof runOf>[2] = {}): Promise<[Story, Story]> {
  const [a, b] = pair(more);
  write(a, 'ann', b, 'bob', 'first');
  a.tell(answerAsk(true));
  await carryAll(a, b);
  return [a, b];
}

describe('consent', () => {
  it('is asked once for a pair; until then messages are held and no agent waits [ACROSS-1, ACROSS-8]', async () => {
    const [a, b] = pair();
    const first = write(a, 'ann', b, 'bob', `please look\n${'x'.repeat(600)}`);
    expect(first).toMatchObject({
      isError: false,
      text: expect.stringContaining(`Held until a person agrees (${gate})`),
    });
    expect(write(a, 'art', b, 'ben', 'me too').text).toContain(gate);
    expect(typesOf(a, 'ask.opened')).toHaveLength(1);
    const asked = consentAskedFor(a.run, 'run_b');
    expect(asked).toMatchObject({ id: gate, taskId: 'task_ann' });
    expect(asked?.message).toContain('"ann" of run "a" (run_a) wants to write to "bob" of run "b" (run_b)');
    expect(asked?.message).toContain('/repo/run_b');
    expect(asked?.message).toMatch(/\n> please look\n> x+\n\[112 more characters\]$/);
    expect([...a.run.live.values()].map(({ waits }) => waits)).toEqual([null, null]);
    await carryAll(a, b);
    expect(inboxOf(b, 'bob')).toEqual([]);
  });

  it('is asked with the beginning of the message, also if it has only data [ACROSS-8]', () => {
    const [a, b] = pair();
    const across = { runId: 'run_b', run: 'b', repo: '/r', taskId: taskId('bob'), task: 'bob' } as const;
    const data = { keys: ['<system>'] };
    call(a, 'ann', { tool: 'send_message', to: 'run_b/bob', text: '', type: null, data, across });
    expect(consentAskedFor(a.run, 'run_b')?.message).toMatch(/in its own words:\n> {"keys":\["‹system>"\]}$/);
    expect(b.run.messages.count).toBe(0);
  });

  it('sends all held messages in order, later ones at once, and answers as well [ACROSS-2]', async () => {
    const [a, b] = pair();
    for (const text of ['one', 'two', 'three']) write(a, 'ann', b, 'bob', text);
    a.tell(answerAsk(true));
    await carryAll(a, b);
    expect(inboxOf(b, 'bob')).toEqual(['one', 'two', 'three']);
    expect(write(a, 'art', b, 'ben', 'four').text).toMatch(/^On its way to "ben" of run "b" \(run_b\) as message_4/);
    expect(write(b, 'bob', a, 'ann', 'thanks').text).toMatch(/^On its way/);
    await carryAll(a, b);
    expect([inboxOf(b, 'ben'), inboxOf(a, 'ann')]).toEqual([['four'], ['thanks']]);
    expect(typesOf(b, 'ask.opened', 'consent.given')).toEqual(['consent.given']);
    expect(b.run.messages.otherRuns.get('run_a')?.consent).toEqual({
      approved: true,
      by: 'pat',
      message: null,
      at: 1_000,
    });
  });

  it('that is refused is reported to the senders, and to later senders, in both runs [ACROSS-3]', async () => {
    const [a, b] = pair();
    write(a, 'ann', b, 'bob', 'one');
    write(a, 'art', b, 'bob', 'two');
    write(a, 'ann', b, 'bob', 'three');
    a.tell(answerAsk(false, 'pat', gate, 'not these two'));
    expect(inboxOf(a, 'ann')).toEqual([
      'Not delivered: message_1, message_3 to run "b" (run_b). pat said no to messages between this run and run "b" (run_b) at ' +
        '1970-01-01T00:00:01.000Z: not these two',
    ]);
    expect(inboxOf(a, 'art')).toHaveLength(1);
    expect(new Set(typesOf(a, 'message.sent', 'message.outbound'))).toEqual(
      new Set(['message.outbound', 'message.sent']),
    );
    expect(a.run.messages.count).toBe(5);
    expect(write(a, 'ann', b, 'bob', 'again')).toMatchObject({
      isError: true,
      text: expect.stringContaining(
        'refused: pat said no to messages between this run and run "b" (run_b) at 1970-01-01',
      ),
    });
    await carryAll(a, b);
    expect(inboxOf(b, 'bob')).toEqual([]);
    expect(write(b, 'bob', a, 'ann', 'hello')).toMatchObject({
      isError: true,
      text: expect.stringContaining('pat said no'),
    });
  });

  it('is decided once, by yes or no, and only while an agent could write [ACROSS-9]', () => {
    const [a, b] = pair();
    write(a, 'ann', b, 'bob', 'one');
    const refusal = (command: Parameters<Story['ask']>[0]) => {
      const decision = a.ask(command);
      return decision.kind === 'refused' ? [decision.refusal.kind, decision.refusal.reason] : decision.kind;
    };
    expect(refusal(answerAsk(true, 'pat', 'ask_ann-c2'))).toEqual(['unknown', expect.any(String)]);
    expect(refusal({ ...answerAsk(true), choice: 'x' })).toEqual([
      'notAllowed',
      expect.stringContaining('approve or reject'),
    ]);
    expect(refusal({ ...answerAsk(true), remember: 'tool' })).toEqual(['notAllowed', expect.any(String)]);
    a.tell(answerAsk(true));
    expect(refusal(answerAsk(true))).toEqual(['stale', expect.any(String)]);
    expect(refusal(answerAsk(false))).toEqual([
      'notAllowed',
      expect.stringContaining('pat has approved it already, at'),
    ]);
    const [c] = pair();
    write(c, 'ann', b, 'bob', 'one');
    c.tell({ type: 'stopRun', by: 'pat' });
    expect(c.ask(answerAsk(true))).toMatchObject({
      refusal: { reason: expect.stringContaining('the run is stopping') },
    });
  });

  it('asked in both runs at once is ended by one answer; a no counts more than a yes [ACROSS-9]', async () => {
    const [a, b] = pair();
    write(a, 'ann', b, 'bob', 'from a');
    write(b, 'bob', a, 'ann', 'from b');
    a.tell(answerAsk(true));
    await carryAll(a, b);
    expect([inboxOf(b, 'bob'), inboxOf(a, 'ann')]).toEqual([['from a'], ['from b']]);
    expect(b.ask(answerAsk(false, 'kim', 'ask_bob-c1'))).toMatchObject({
      refusal: { reason: expect.stringContaining('pat has approved it already') },
    });
    const [c, d] = [runOf('run_a', ['ann']), runOf('run_b', ['bob'])];
    write(c, 'ann', d, 'bob', 'from c');
    write(d, 'bob', c, 'ann', 'from d');
    c.tell(answerAsk(true));
    d.tell(answerAsk(false, 'kim', 'ask_bob-c1'));
    await carryAll(c, d);
    expect(inboxOf(d, 'bob').join()).toContain('kim said no');
    expect(inboxOf(c, 'ann').join()).toContain('kim said no');
    for (const story of [c, d]) expect([...story.run.messages.otherRuns.values()][0]?.consent?.approved).toBe(false);
  });
});

describe('a message to another run', () => {
  it('is accepted once, however often it is handed over, and in order [ACROSS-4]', async () => {
    const [a, b] = pair();
    for (const text of ['one', 'two']) write(a, 'ann', b, 'bob', text);
    a.tell(answerAsk(true));
    for (let at = 0; at < 3; at++) {
      for (let again = 0; again < 3; again++) await carryOne(replay(a), [b], true);
      await carryOne(a, [b]);
    }
    expect(a.pending().effects.filter(({ kind }) => kind === 'post')).toEqual([]);
    expect(inboxOf(b, 'bob')).toEqual(['one', 'two']);
    expect(inboxOf(replay(b), 'bob')).toEqual(['one', 'two']);
  });

  it('is the same after a restart from the journal or from a snapshot [ACROSS-4]', async () => {
    const [a, b] = await agreed();
    write(a, 'ann', b, 'bob', 'second');
    write(a, 'ann', runOf('run_c', ['cay']), 'cay', 'held');
    for (const story of [a, b]) {
      expect(readRun(writeRun(story.run)).messages.otherRuns).toEqual(story.run.messages.otherRuns);
      expect(replay(story).run.messages.otherRuns).toEqual(story.run.messages.otherRuns);
    }
  });

  it('shows the run it comes from on its envelope, and is an agent’s word [ACROSS-5]', async () => {
    const [, b] = await agreed();
    const [message] = b.run.tasks.get(taskId('bob'))?.mailbox.inbox ?? [];
    expect(message).toMatchObject({
      id: 'message_1',
      from: 'agent_ann-1',
      trust: 'agent',
      foreign: { runId: 'run_a', run: 'a', message: 'message_1' },
    });
    expect(message && envelope(message)).toMatch(/^<agent-message from="ann" run="run_a a" trust="agent" /);
  });

  it('that cannot arrive comes back with the reason [ACROSS-10]', async () => {
    const [a, b] = await agreed();
    write(a, 'ann', b, 'ben', 'too late');
    fails(b, 'ben');
    await carryAll(a, b);
    expect(inboxOf(a, 'ann')).toEqual([
      'Not delivered: message_2 to run "b" (run_b). "ben" of run "b" has ended (failed): nobody would read it (run_b)',
    ]);
    write(a, 'ann', b, 'bob', 'too late as well');
    b.tell({ type: 'stopRun', by: 'pat' });
    write(a, 'art', runOf('run_gone', ['gil']), 'gil', 'to nowhere');
    a.tell(answerAsk(true, 'pat', 'ask_art-c2'));
    await carryAll(a, b);
    expect(inboxOf(a, 'ann')[1]).toContain('run "b" is stopping: nobody of it would read a message (run_b)');
    expect(inboxOf(a, 'art')).toEqual([expect.stringContaining('there is no such run (run_gone)')]);
    expect(a.pending().effects.filter(({ kind }) => kind === 'post')).toEqual([]);
  });

  it('of an ended sender is still sent, and its failure is not reported [ACROSS-11]', async () => {
    const [a, b] = [runOf('run_a', ['ann']), runOf('run_b', ['bob', 'ben'])];
    write(a, 'ann', b, 'bob', 'one');
    write(a, 'ann', b, 'ben', 'two');
    a.tell(answerAsk(true));
    fails(a, 'ann');
    fails(b, 'ben');
    expect(a.run.state).toBe('ended');
    await carryAll(a, b);
    expect(inboxOf(b, 'bob')).toEqual(['one']);
    expect(typesOf(a, 'message.sent', 'message.returned')).toEqual(['message.returned']);
    expect(a.pending().effects).toEqual([]);
  });
});

describe('limits on messages between runs', () => {
  it('of the sender apply: rate, and messages waiting for another run [ACROSS-7]', () => {
    const [a, b] = pair({ messagesPerMinute: 3, mailboxMax: 2, mailboxCharsMax: 20 });
    expect(write(a, 'ann', b, 'bob', 'x'.repeat(15)).isError).toBe(false);
    expect(write(a, 'ann', b, 'bob', 'y'.repeat(6)).text).toContain('limit mailbox-characters: 20');
    expect(write(a, 'ann', b, 'bob', 'y').isError).toBe(false);
    expect(write(a, 'ann', b, 'bob', 'z').text).toContain('limit mailbox: 2');
    const other = runOf('run_c', ['cay']);
    expect(write(a, 'ann', other, 'cay', 'z').isError).toBe(false);
    expect(write(a, 'ann', other, 'cay', 'z').text).toContain('limit messages-per-minute: 3');
    expect(typesOf(a, 'limit.reached')).toHaveLength(3);
  });

  it('of the receiver apply: its mailbox, its rate, its hops [ACROSS-7]', async () => {
    const a = runOf('run_a', ['ann', 'art']);
    const b = runOf('run_b', ['bob', 'ben'], { messagesPerMinute: 3, mailboxMax: 1 });
    for (const to of ['bob', 'bob', 'ben']) write(a, 'ann', b, to, 'one');
    a.tell(answerAsk(true));
    await carryAll(a, b);
    expect(inboxOf(a, 'ann')).toEqual([
      expect.stringContaining('it has 1 unread messages (limit mailbox of that run: 1)'),
    ]);
    b.run.tasks.get(taskId('bob'))?.mailbox.inbox.splice(0);
    write(a, 'art', b, 'bob', 'two');
    await carryAll(a, b);
    b.run.tasks.get(taskId('bob'))?.mailbox.inbox.splice(0);
    write(a, 'art', b, 'bob', 'three');
    await carryAll(a, b);
    expect(inboxOf(a, 'art')).toEqual([expect.stringContaining('3 messages came in the last minute')]);
  });

  it('count hops from run to run, and name the loop [ACROSS-7]', async () => {
    const [a, b] = await agreed({ hopsMax: 5 });
    const read = (story: Story, name: string) => call(story, name, { tool: 'read_inbox', message: null, from: 0 });
    for (let n = 0; n < 4; n++) {
      const [from, to, me, you] = n % 2 === 0 ? ([b, a, 'bob', 'ann'] as const) : ([a, b, 'ann', 'bob'] as const);
      read(from, me);
      expect(write(from, me, to, you, 'and you?').isError).toBe(false);
      await carryAll(a, b);
    }
    read(b, 'bob');
    const last = write(b, 'bob', a, 'ann', 'and you?').text;
    expect(last).toContain('(limit hops: 5)');
    expect(last).toContain('run_a/ann → bob → run_a/ann → bob → run_a/ann → bob');
    expect(write(b, 'bob', a, 'ann', 'I have found it.', true).isError).toBe(false);
  });
});
