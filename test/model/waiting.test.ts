// Stories about agents that wait, rest and make room, about circles, claims, phases and questions to people.

import { describe, expect, it } from 'vitest';
import { lastAskAbout } from '../../src/model/asks/find-asks.ts';
import { questionId } from '../../src/model/core/ids.ts';
import type { RunLimits } from '../../src/model/core/spec.ts';
import { emptyHost, type Host } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { localTime } from '../../src/std/clock.ts';
import { waitReason } from '../wait-reason.ts';
import {
  agentOf,
  attemptOf,
  atWork,
  call,
  endTurn,
  fail,
  finish,
  gone,
  heard,
  named,
  readInput,
  send,
  spawn,
  stop,
  wait,
  withChildren,
} from './children-story.ts';
import { pickNext } from './pick-next.ts';
import { settle, states } from './plan-story.ts';
import { type Story, submitted, task, taskId } from './story.ts';

/** `a` at work, which has spawned these. */
function parentOf(...children: string[]): Story {
  const story = withChildren({ idleMs: 10_000 }, task('a'));
  atWork(story, 'a');
  for (const child of children) spawn(story, 'a', child);
  return story;
}

const isTold = (story: Story, name: string): boolean =>
  agentOf(story, name).mailbox.records.some(({ body }) => body.kind === 'messages');
const rounds = (story: Story, name: string): unknown[] =>
  heard(story, name, [{ kind: 'round', requestId: 'hook' }]).flatMap((event) =>
    event.type === 'record.queued' ? [event.body] : [],
  );

describe('wait', () => {
  it("answers that it is parked, and ends the turn at the agent's next hook [CHILD-29]", () => {
    const story = parentOf('b');
    expect(rounds(story, 'a')).toEqual([{ kind: 'round', requestId: 'hook', goOn: true }]);
    expect(wait(story, 'a').text).toContain('Parked');
    expect(rounds(story, 'a')).toEqual([{ kind: 'round', requestId: 'hook', goOn: false }]);
    endTurn(story, 'a', '');
    expect(named(story, 'a').attempt).toMatchObject({ state: 'running', stop: null, parking: { brake: null } });
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
  });

  it('for all is over when the last has ended, for any with the first [CHILD-30]', () => {
    for (const mode of ['all', 'any'] as const) {
      const story = parentOf('b', 'c');
      wait(story, 'a', ['b', 'c'], mode);
      endTurn(story, 'a', '');
      const reason = waitReason(story.run, named(story, 'a'), emptyHost(), story.now);
      expect(reason).toBe(mode === 'all' ? 'the end of b, c' : 'the end of any of b, c');
      atWork(story, 'b');
      finish(story, 'b');
      settle(story);
      expect(isTold(story, 'a')).toBe(mode === 'any');
      atWork(story, 'c');
      finish(story, 'c');
      settle(story);
      expect(isTold(story, 'a')).toBe(true);
    }
  });

  it('is over when its time is, and by a message that it could not wait for [CHILD-31]', () => {
    const story = parentOf('b');
    wait(story, 'a', [], 'all', 5_000);
    endTurn(story, 'a', '');
    expect(story.pending().wakeAt).toBe(story.now + 5_000);
    story.now += 5_000;
    settle(story);
    expect(named(story, 'a').mailbox.inbox[0]?.text).toContain('The time that you wanted to wait is over.\nb: ready');
    expect(isTold(story, 'a')).toBe(true);
    const other = parentOf('b');
    wait(other, 'a');
    endTurn(other, 'a', '');
    atWork(other, 'b');
    send(other, 'b', 'parent', 'a question');
    settle(other);
    expect(isTold(other, 'a')).toBe(true);
  });

  it('is over when the clock goes back before its start [CHILD-31]', () => {
    const story = withChildren({}, task('a'));
    story.now = 7_200_000;
    atWork(story, 'a');
    wait(story, 'a', [], 'all', 60_000);
    endTurn(story, 'a', '');
    settle(story);
    expect(named(story, 'a').mailbox.inbox).toEqual([]);
    story.now -= 3_600_000;
    expect(story.pending().wakeAt).toBe(story.now);
    settle(story);
    expect(named(story, 'a').mailbox.inbox.map(({ text }) => text)).toEqual([
      'The time that you wanted to wait is over.',
    ]);
  });

  it('is shown with its limit, with and without a process [CHILD-83]', () => {
    const story = parentOf('b');
    wait(story, 'a', [], 'all', 60_000);
    endTurn(story, 'a', '');
    const limit = `the end of b (until ${localTime(story.now + 60_000)})`;
    const reason = () => waitReason(story.run, named(story, 'a'), emptyHost(), story.now);
    expect(reason()).toBe(limit);
    story.now += 10_000;
    settle(story);
    gone(story, 'a');
    expect(named(story, 'a').attempt?.parking.parked).not.toBeNull();
    expect(reason()).toBe(limit);
  });

  it('for ended tasks, or for none, is answered at once [CHILD-32]', () => {
    const story = parentOf('b');
    atWork(story, 'b');
    finish(story, 'b');
    settle(story);
    expect(wait(story, 'a', ['b']).text).toContain('It has come about already.\nb: succeeded');
    expect(wait(story, 'a').text).toContain('nothing to wait for');
    expect(named(story, 'a').attempt?.waits).toBeNull();
  });

  it('for none but with a time limit waits for messages, without a process [CHILD-32] [CHILD-34]', () => {
    for (const isWritten of [true, false]) {
      const story = withChildren({ idleMs: 10_000 }, task('a'), task('b'));
      atWork(story, 'a');
      atWork(story, 'b');
      expect(wait(story, 'a', [], 'all', 60_000).text).toMatch(
        /^Parked: .* when somebody writes to you, or after 60 s\.$/,
      );
      endTurn(story, 'a', '');
      expect(named(story, 'a').attempt).toMatchObject({ state: 'running', stop: null });
      story.now += 10_000;
      settle(story);
      gone(story, 'a');
      expect(named(story, 'a').attempt).toMatchObject({ parking: { parked: { why: { kind: 'waits' } } } });
      if (isWritten) send(story, 'b', 'a', 'here I am');
      settle(story);
      expect(isTold(story, 'a')).toBe(isWritten);
      story.now += 50_000;
      settle(story);
      expect(named(story, 'a').mailbox.inbox.map(({ text }) => text)).toEqual([
        isWritten ? 'here I am' : 'The time that you wanted to wait is over.',
      ]);
      expect(isTold(story, 'a')).toBe(true);
    }
  });

  it('is over when a message is read that was on its way before [CHILD-31]', () => {
    const story = withChildren({ idleMs: 10_000 }, task('a'), task('b'));
    atWork(story, 'a');
    atWork(story, 'b');
    send(story, 'b', 'a', 'here I am');
    settle(story);
    expect(isTold(story, 'a')).toBe(true);
    wait(story, 'a', [], 'all', 3_600_000);
    readInput(story, 'a');
    expect(rounds(story, 'a')).toEqual([{ kind: 'round', requestId: 'hook', goOn: true }]);
    endTurn(story, 'a', 'I have heard.');
    settle(story);
    expect(named(story, 'a').attempt?.stop?.reason).toBe('finished');
  });

  it('in a cycle is refused, and the cycle named [CHILD-33]', () => {
    const story = parentOf('b');
    atWork(story, 'b');
    spawn(story, 'b', 'c');
    atWork(story, 'c');
    expect(wait(story, 'c', ['a']).text).toBe('refused: you would wait for yourself: c → a → b → c');
    expect(wait(story, 'c', ['c']).text).toContain('c → c');
    const two = parentOf('x', 'y');
    atWork(two, 'x');
    atWork(two, 'y');
    expect(wait(two, 'x', ['y']).isError).toBe(false);
    expect(wait(two, 'y', ['x']).text).toBe('refused: you would wait for yourself: y → x → y');
    expect(wait(two, 'y', ['x', 'a'], 'any').isError).toBe(true);
  });

  it('for a cyclic and another task is refused for all of them, not for any [CHILD-33]', () => {
    const story = parentOf('x', 'y', 'z');
    for (const name of ['x', 'y', 'z']) atWork(story, name);
    expect(wait(story, 'y', ['z', 'x']).isError).toBe(false);
    for (const tasks of [
      ['z', 'y'],
      ['y', 'z'],
    ]) {
      expect(wait(story, 'x', tasks).text).toBe('refused: you would wait for yourself: x → y → x');
      expect(wait(story, 'x', tasks, 'any').isError).toBe(false);
    }
  });
});

describe('an idle agent', () => {
  it('keeps its process for a while, then has none, and continues with the next message [CHILD-34]', () => {
    const story = parentOf('b');
    wait(story, 'a');
    endTurn(story, 'a', '');
    expect(story.pending().wakeAt).toBe(story.now + 10_000);
    story.now += 10_000;
    settle(story);
    expect(named(story, 'a').attempt?.stop?.reason).toBe('parked');
    gone(story, 'a');
    expect(named(story, 'a').attempt?.parking.parked).toMatchObject({ why: { kind: 'waits', detail: 'the end of b' } });
    expect(story.ask({ type: 'goOn', attemptId: 'attempt_a-1', host: 'h' }).kind).toBe('refused');
    atWork(story, 'b');
    finish(story, 'b');
    settle(story);
    const events = story.tell({ type: 'goOn', attemptId: 'attempt_a-1', host: 'h' });
    expect(events.map(({ type }) => type)).toEqual(['attempt.unparked', 'launch.intended']);
    expect(events[1]).toMatchObject({ resume: true });
  });

  it('gives its process up at once where a slot is needed, the longest-resting first [CHILD-35]', () => {
    const story = withChildren({}, task('a'), task('b'));
    const host: Host = { ...emptyHost(), slots: 2 };
    for (const name of ['a', 'b']) {
      atWork(story, name);
      host.held.set(named(story, name).attempt?.id ?? 'attempt_', 'run_1');
      spawn(story, name, `${name}-child`);
      wait(story, name);
      endTurn(story, name, '');
      story.now += 100;
    }
    const pick = () => pickNext(host, [story.run], story.now, 'h')?.command;
    expect(pick()).toEqual({ type: 'giveUp', attemptId: 'attempt_a-1' });
    story.tell({ type: 'giveUp', attemptId: 'attempt_a-1' });
    expect(pick()).toEqual({ type: 'giveUp', attemptId: 'attempt_b-1' });
    story.tell({ type: 'giveUp', attemptId: 'attempt_b-1' });
    expect(pick()).toBeUndefined();
    expect(story.ask({ type: 'giveUp', attemptId: 'attempt_a-1' }).kind).toBe('refused');
  });

  it('gives its process up for agents of its harness at their limit, and for no others [CHILD-35]', () => {
    const limits: readonly [Partial<Host>, Partial<RunLimits>][] = [
      [{ harnessSlots: { claude: 1 } }, {}],
      [{}, { harnessMax: { claude: 1 } }],
    ];
    for (const [host, ofRun] of limits) {
      const story = withChildren({}, task('a', { harness: 'claude' }), task('z'));
      if (story.run.spec !== null) Object.assign(story.run.spec.limits, ofRun);
      for (const name of ['z', 'a']) {
        atWork(story, name);
        spawn(story, name, `${name}-child`);
        wait(story, name);
        endTurn(story, name, '');
        story.now += 100;
      }
      atWork(story, 'z-child');
      const pick = () => pickNext({ ...emptyHost(), slots: 9, ...host }, [story.run], story.now, 'h')?.command;
      expect(pick()).toEqual({ type: 'giveUp', attemptId: 'attempt_a-1' });
      story.tell({ type: 'giveUp', attemptId: 'attempt_a-1' });
      expect(pick()).toBeUndefined();
    }
  });

  it('gives its process up with low memory, one after the other, also when nothing wants to start [CHILD-35]', () => {
    const story = withChildren({}, task('a'), task('b'));
    for (const name of ['b', 'a']) {
      atWork(story, name);
      call(story, name, { tool: 'ask_person', question: 'May I?', options: [] });
      endTurn(story, name, '');
      story.now += 100;
    }
    const pick = (scarce: string | null) =>
      pickNext({ ...emptyHost(), slots: 9, scarce }, [story.run], story.now, 'h')?.command;
    expect(pick(null)).toBeUndefined();
    expect(pick('memory')).toEqual({ type: 'giveUp', attemptId: 'attempt_b-1' });
    story.tell({ type: 'giveUp', attemptId: 'attempt_b-1' });
    expect(pick('memory')).toBeUndefined();
    gone(story, 'b');
    expect(pick('memory')).toEqual({ type: 'giveUp', attemptId: 'attempt_a-1' });
  });
});

describe('claim_paths', () => {
  it("holds paths inside the agent's own set, against all but its parent [CHILD-36]", () => {
    const story = submitted(task('a', { writes: ['src/**'] }), task('z'));
    atWork(story, 'a');
    atWork(story, 'z');
    const claim = (by: string, ...paths: string[]) => call(story, by, { tool: 'claim_paths', paths });
    expect(claim('a', 'docs').text).toContain('"docs" is not inside what you may change: src/**');
    expect(claim('z', 'src/x.ts').text).toContain('"src/x.ts" is held by "a" (src/**)');
    spawn(story, 'a', 'b', { writes: ['src/b/**'] });
    spawn(story, 'a', 'c', { writes: ['src/c/**'] });
    expect(claim('a', 'src/c/**').isError).toBe(false);
    atWork(story, 'b');
    expect(claim('b', 'src/b/one.ts').isError).toBe(false);
    expect(claim('a', 'src/b/one.ts').text).toContain('held by "b"');
    expect(story.ask({ type: 'start', taskId: named(story, 'c').spec.id, host: 'h' })).toMatchObject({
      refusal: { reason: 'path src/c/** is held by task "a"' },
    });
    expect(call(story, 'a', { tool: 'release_paths', paths: ['src/x'] }).isError).toBe(true);
    call(story, 'a', { tool: 'release_paths', paths: [] });
    expect(story.ask({ type: 'start', taskId: named(story, 'c').spec.id, host: 'h' }).kind).toBe('decided');
  });

  it('lets children work inside what their parent holds, but not on the same paths [CHILD-37]', () => {
    const story = submitted(task('a', { writes: ['src/**'] }));
    atWork(story, 'a');
    spawn(story, 'a', 'b', { writes: ['src/b/**'] });
    spawn(story, 'a', 'c', { writes: ['src/b/x.ts'] });
    atWork(story, 'b');
    expect(story.ask({ type: 'start', taskId: named(story, 'c').spec.id, host: 'h' })).toMatchObject({
      refusal: { reason: 'path src/b/** is held by task "b"' },
    });
  });
});

describe('queued children', () => {
  it('do not wait behind a task that waits for their parent [CHILD-37]', () => {
    const story = submitted(task('root'));
    atWork(story, 'root');
    spawn(story, 'root', 'a', { writes: ['src/a.ts'] });
    spawn(story, 'root', 'b', { writes: ['src/a.ts'] });
    atWork(story, 'a');
    // It is put aside: `a` holds its path.
    const host: Host = { ...emptyHost(), slots: 10 };
    expect(pickNext(host, [story.run], story.now, 'h')).toBeNull();
    spawn(story, 'a', 'below', { writes: ['src/a.ts'] });
    endTurn(story, 'a');
    expect(pickNext(host, [story.run], story.now, 'h')).toMatchObject({
      command: { type: 'start', taskId: named(story, 'below').spec.id },
    });
  });
});

describe('a claimed path', () => {
  it('is not held while its agent rests: others may need it to end [CHILD-36]', () => {
    const story = submitted(task('root'));
    atWork(story, 'root');
    expect(call(story, 'root', { tool: 'claim_paths', paths: ['src/**'] }).text).toContain('or end your turn');
    spawn(story, 'root', 'a', { writes: ['src/a.ts'] });
    const host: Host = { ...emptyHost(), slots: 10 };
    expect(pickNext(host, [story.run], story.now, 'h')).toBeNull();
    endTurn(story, 'root');
    expect(pickNext(host, [story.run], story.now, 'h')).toMatchObject({ command: { type: 'start' } });
  });

  it('is not held by an agent whose child a person retries while its process ends [CHILD-36]', () => {
    const story = submitted(task('root'));
    atWork(story, 'root');
    spawn(story, 'root', 'a', { writes: ['src/a.ts'] });
    story.tell({ type: 'stopTask', taskId: named(story, 'a').spec.id, by: 'ann' });
    story.tell({ type: 'tick' });
    story.tell({ type: 'tick' });
    readInput(story, 'root');
    call(story, 'root', { tool: 'claim_paths', paths: ['src/**'] });
    endTurn(story, 'root');
    expect(attemptOf(story, 'root')).toMatchObject({ stop: { reason: 'finished' }, claims: [] });
    story.tell({ type: 'retryTask', taskId: named(story, 'a').spec.id, by: 'ann' });
    gone(story, 'root');
    expect(attemptOf(story, 'root')).toMatchObject({ parking: { parked: { why: { kind: 'waits' } } } });
    expect(pickNext({ ...emptyHost(), slots: 10 }, [story.run], story.now, 'h')).toMatchObject({
      command: { type: 'start', taskId: named(story, 'a').spec.id },
    });
  });

  it('is not waited for in a cycle: later needs of the same paths are seen when the wait is asked for [CHILD-33]', () => {
    const story = submitted(task('root'));
    atWork(story, 'root');
    spawn(story, 'root', 'first');
    spawn(story, 'root', 'a', { writes: ['src/a.ts'] });
    spawn(story, 'root', 'b', { writes: ['src/a.ts'], inputs: ['first'] });
    atWork(story, 'first');
    atWork(story, 'a');
    expect(wait(story, 'a', ['b']).text).toContain('you would wait for yourself: a → b → a');
  });
});

describe('a matrix without tasks yet', () => {
  it("needs its tasks' paths: an agent that holds them cannot wait for it [CHILD-33]", () => {
    const items = { kind: 'matrix', items: ['x'], writes: ['src/**'], needs: [taskId('b')] } as const;
    const story = submitted(task('a', { writes: ['src/**'] }), task('b'), task('m', items));
    atWork(story, 'a');
    atWork(story, 'b');
    expect(wait(story, 'a', ['m']).text).toContain('you would wait for yourself: a → m → a');
  });
});

describe('ask_person', () => {
  it("waits for the answer without a process, and gives it as a person's word [CHILD-38]", () => {
    const story = parentOf();
    const ask = () => call(story, 'a', { tool: 'ask_person', question: 'Blue or green?', options: ['blue', 'green'] });
    expect(ask().text).toContain('Parked');
    expect(ask().text).toContain('one question at a time');
    endTurn(story, 'a', '');
    story.now += 10_000;
    settle(story);
    gone(story, 'a');
    const askId = questionId(taskId('a'), 1);
    const decide = {
      type: 'answerAsk',
      askId,
      approved: true,
      by: 'ann',
      message: 'the sea',
      remember: null,
    } as const;
    expect(story.ask({ ...decide, choice: 'red' })).toMatchObject({
      refusal: { reason: '"red" is no choice: there are blue, green' },
    });
    story.tell({ ...decide, choice: 'blue' });
    settle(story);
    expect(named(story, 'a').mailbox.inbox).toMatchObject([
      { trust: 'person', fromName: 'ann', text: 'blue: the sea' },
    ]);
    atWork(story, 'a');
    finish(story, 'a');
    expect(states(story)).toEqual({ a: 'succeeded' });
  });

  it('is withdrawn with the agent that asked [CHILD-39]', () => {
    const story = parentOf();
    call(story, 'a', { tool: 'ask_person', question: 'Shall I?', options: [] });
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(lastAskAbout(story.run, named(story, 'a').spec.id)?.state).toBe('expired');
  });
});

describe('complete_phase', () => {
  it('does not count failed children: their parents judge them [CHILD-16] [CHILD-40]', () => {
    const story = submitted(task('a', { phase: 'one' }));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    fail(story, 'b', 'refusal', 'no');
    expect(call(story, 'a', { tool: 'complete_phase' }).isError).toBe(false);
    spawn(story, 'a', 'c');
    atWork(story, 'c');
    expect(call(story, 'c', { tool: 'complete_phase' }).text).toContain('is for "a" to complete, your parent');
  });

  it('reports from the journal what the phase still lacks [CHILD-40]', () => {
    const story = submitted(task('a', { phase: 'one' }), task('b', { phase: 'one' }), task('c'));
    for (const name of ['a', 'b', 'c']) atWork(story, name);
    spawn(story, 'a', 'd');
    const ask = (by: string) => call(story, by, { tool: 'complete_phase' });
    expect(ask('c').text).toContain('your task is in no phase');
    expect(ask('a').text).toContain('- "b" has not ended\n- "d", your child, has not ended');
    finish(story, 'b');
    atWork(story, 'd');
    finish(story, 'd');
    expect(ask('a')).toMatchObject({ isError: false, text: expect.stringContaining('End your turn') });
  });

  it("applies the phase's rules to ended tasks: tolerated failures are fine, others are missing [CHILD-40]", () => {
    const kinds = ['ok', 'no', 'off', 'gone', 'spared'] as const;
    const others = kinds.map((name) => task(name, { phase: 'one' }));
    const needs = [taskId('a'), ...kinds.map(taskId)];
    const end = task('end', { kind: 'milestone', phase: 'one', needs, tolerates: [taskId('spared')] });
    const after = task('skip', { phase: 'one', needs: [taskId('no')] });
    const story = submitted(task('a', { phase: 'one' }), ...others, after, end);
    for (const name of ['a', ...kinds]) atWork(story, name);
    finish(story, 'ok');
    fail(story, 'no', 'refusal', 'no');
    fail(story, 'spared', 'refusal', 'no');
    stop(story, 'off');
    finish(story, 'gone');
    settle(story);
    expect(call(story, 'a', { tool: 'complete_phase' }).text.split('\n').slice(1)).toEqual([
      '- "no" has ended (failed)',
      '- "off" has ended (stopped)',
      '- "skip" has ended (skipped)',
    ]);
  });

  it("leaves the outcome to the phase's condition, if it has one [CHILD-40]", () => {
    const needs = [taskId('a'), taskId('b')];
    const when = { op: 'value', value: true } as const;
    const end = task('end', { kind: 'milestone', phase: 'one', needs, tolerates: needs, when });
    const story = submitted(task('a', { phase: 'one' }), task('b', { phase: 'one' }), end);
    for (const name of ['a', 'b']) atWork(story, name);
    fail(story, 'b', 'refusal', 'no');
    expect(call(story, 'a', { tool: 'complete_phase' })).toMatchObject({
      isError: false,
      text: expect.stringContaining('its exit condition decides'),
    });
  });
});
