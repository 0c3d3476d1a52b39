// Stories about agents whose process lives and waits for a person: they hold no slot meanwhile.

import { describe, expect, it } from 'vitest';
import { emptyHost, type Host } from '../../src/model/host/host.ts';
import type { InputRecord } from '../../src/model/messages/messages-state.ts';
import type { AgentFact } from '../../src/model/session/agent-fact.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import { attempt, down, launch, launched, type Story, submitted, task, taskId } from './story.ts';

const ask = (requestId = 'r1'): AgentFact => ({
  kind: 'permissionRequest',
  requestId,
  tool: 'Bash',
  input: { command: 'make' },
});
const blocked = (...requestIds: string[]): AgentFact => ({ kind: 'blocked', requestIds });
const decision = { type: 'answerAsk', approved: true, by: 'ann', message: null, remember: null } as const;

function said(story: Story, name: string, ...facts: AgentFact[]) {
  const from = story.run.live.get(attempt(name))?.launches.current?.offset ?? 0;
  return story.tell({ type: 'output', launchId: launch(name), from, to: from + 10, codec: '{}', facts, replies: [] });
}

function asking(more: Parameters<typeof task>[1] = {}): Story {
  const story = submitted(task('a', more), task('b'));
  launched(story, 'a');
  said(story, 'a', { kind: 'session', session: 's' }, { kind: 'delivered', recordId: 'record_a-1-1' });
  const prompt = { launchId: launch('a'), recordId: 'record_a-1-1' } as const;
  story.tell({ type: 'written', ...prompt, end: 10 });
  said(story, 'a', ask(), blocked('r1'));
  return story;
}

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);
const of = (story: Story, name: string) => story.run.live.get(attempt(name));
const parkedFor = (story: Story, name: string) => of(story, name)?.parking.parked?.why.kind ?? null;
const writes = (story: Story) => story.pending().effects.filter(({ kind }) => kind === 'write');
const mailOf = (story: Story): readonly InputRecord[] => story.run.agents.get('agent_a-1')?.mailbox.records ?? [];

function next(story: Story, host: Partial<Host> = {}) {
  return pickNext({ ...emptyHost(), slots: 1, ...host }, [story.run], story.now, 'h')?.command ?? null;
}

function reason(story: Story, host: Partial<Host> = {}) {
  const found = story.run.tasks.get(taskId('a'));
  return found && waitReason(story.run, found, { ...emptyHost(), slots: 1, ...host }, story.now);
}

describe('an agent that only waits for a person', () => {
  it('gives its slot back with the question, and its process stays [GATE-13, GATE-16]', () => {
    const story = asking();
    expect(parkedFor(story, 'a')).toBe('asks');
    expect(types(story.events.slice(-3))).toEqual(['ask.opened', 'attempt.parked', 'launch.read']);
    expect(story.pending().effects.map(({ kind }) => kind)).toContain('watch');
    expect(next(story)).toMatchObject({ type: 'start', taskId: taskId('b') });
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
  });

  it('keeps its slot while other work of it is open, and gives it back after that [GATE-13]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    said(story, 'a', ask());
    expect(parkedFor(story, 'a')).toBeNull();
    said(story, 'a', blocked('r1'));
    expect(parkedFor(story, 'a')).toBe('asks');
  });

  it('keeps its slot if a rule allowed one of the calls, which runs [GATE-21]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    said(story, 'a', ask('r2'), blocked('allowed', 'r2'));
    expect(parkedFor(story, 'a')).toBeNull();
  });

  it('gets the answer when it has a slot again, before new tasks [GATE-14]', () => {
    const story = asking();
    story.tell({ ...decision, askId: 'ask_a-1-1' });
    expect(parkedFor(story, 'a')).toBe('asks');
    expect(writes(story)).toEqual([]);
    expect(next(story, { slots: 0 })).toBeNull();
    expect(next(story)).toMatchObject({ type: 'goOn', attemptId: attempt('a') });
    const events = story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
    expect(types(events)).toEqual(['attempt.unparked']);
    expect(writes(story)).toMatchObject([{ kind: 'write', recordId: mailOf(story).at(-1)?.id }]);
  });

  it('goes on as soon as one question is answered, and waits again for the others [GATE-17]', () => {
    const story = asking();
    said(story, 'a', ask('r2'), blocked('r1', 'r2'));
    expect(story.ask({ type: 'goOn', attemptId: attempt('a'), host: 'h' }).kind).toBe('refused');
    story.tell({ ...decision, askId: 'ask_a-1-2' });
    story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
    expect(parkedFor(story, 'a')).toBeNull();
    said(story, 'a', blocked('r1'));
    expect(parkedFor(story, 'a')).toBe('asks');
  });

  it('takes no slot for another question while it is being stopped [GATE-14]', () => {
    const story = asking();
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    said(story, 'a', ask('r2'), blocked('r1', 'r2'));
    expect(parkedFor(story, 'a')).toBe('asks');
  });

  it('says what it waits for: the person and since when, then the slot and whose limit that is [GATE-22]', () => {
    const story = asking();
    expect(reason(story)).toMatch(/^a person: may it use Bash\? \(ask_a-1-1\), since \d\d:\d\d:\d\d$/);
    story.tell({ ...decision, askId: 'ask_a-1-1' });
    const held = new Map([[attempt('b'), 'run_1' as const]]);
    expect(reason(story, { held })).toBe(
      'a slot to resume with the answer: all 1 are taken (raise "slots" in your configuration)',
    );
    const { harness } = task('a');
    expect(reason(story, { slots: 2, harnessSlots: { [harness]: 0 } })).toBe(
      `a slot to resume with the answer, for ${harness}: all 0 are taken (raise "slots" in your configuration)`,
    );
  });

  it('goes on with low memory, since its process is there; nothing new starts [GATE-14]', () => {
    const story = asking();
    const scarce = 'memory: 1 MiB are free';
    expect(next(story, { scarce })).toBeNull();
    story.tell({ ...decision, askId: 'ask_a-1-1' });
    expect(next(story, { scarce })).toMatchObject({ type: 'goOn' });
  });

  it('has a slot at once when it goes on by itself [GATE-15]', () => {
    const withdrawn = asking();
    expect(types(said(withdrawn, 'a', { kind: 'withdrawn', requestId: 'r1' }))).toEqual([
      'attempt.unparked',
      'ask.expired',
      'launch.read',
    ]);
    const ended = asking();
    const turn = { kind: 'ok', text: 'done', cut: false } as const;
    expect(types(said(ended, 'a', { kind: 'turnEnded', turn }))[0]).toBe('attempt.unparked');
  });

  it('is started again when it has a slot, if its process was lost [GATE-23]', () => {
    const story = asking();
    down(story, 'a', null);
    expect(of(story, 'a')).toMatchObject({ state: 'resting', parking: { parked: { why: { kind: 'waits' } } } });
    expect(types(story.events).filter((type) => type === 'launch.intended')).toHaveLength(1);
    expect(next(story, { slots: 0 })).toBeNull();
    const events = story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
    expect(types(events)).toEqual(['attempt.unparked', 'launch.intended']);
    expect(of(story, 'a')).toMatchObject({ launches: { count: 2, afterPause: 0 } });
    expect(mailOf(story).map(({ body }) => body.kind)).toEqual(['text']);
  });

  it('ends without a slot when it is stopped, and its work is saved [GATE-24]', () => {
    const story = asking();
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(writes(story)).toHaveLength(1);
    down(story, 'a', 143);
    expect(of(story, 'a')?.state).toBe('saving');
    expect(types(story.events)).not.toContain('attempt.unparked');
  });

  it('does not run out of time while it waits, and keeps its reservation [GATE-16]', () => {
    const story = asking({ timeoutMs: 10_000 });
    story.now += 60_000;
    expect(types(story.tell({ type: 'tick' }))).toEqual([]);
    story.tell({ ...decision, askId: 'ask_a-1-1' });
    story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
    expect(of(story, 'a')?.parking.parkedMs).toBe(60_000);
    story.now += 10_000;
    expect(types(story.tell({ type: 'tick' }))).toContain('stop.asked');
  });
});
