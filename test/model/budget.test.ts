// Stories about budgets: reserved, counted while it is spent, exhausted, and raised.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBudgetAsk } from '../../src/model/asks/find-asks.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import type { AgentFact } from '../../src/model/session/agent-fact.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { reserve } from '../../src/model/spending/allowance.ts';
import { type Budget, dimensions } from '../../src/model/spending/budget.ts';
import { noUsage, type Usage, type UsageTotal } from '../../src/model/spending/usage.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import { attempt, createStory, down, launch, launched, type Story, submitted, task, taskId, turned } from './story.ts';

const dollars = (usd: number): Usage => ({
  inputTokens: 100,
  outputTokens: 10,
  cacheReadTokens: 5_000,
  cacheWriteTokens: 0,
  costMicroUsd: Math.round(usd * 1e6),
  turns: 1,
});

function budgeted(budget: Budget, ...tasks: TaskSpec[]): Story {
  const story = createStory();
  const limits = { parallelMax: 100, budget };
  const run = { id: 'run_1', name: 'a run', repo: { path: '/repo', base: 'b0' }, limits, integrates: true } as const;
  story.tell({ type: 'submit', run, tasks });
  return story;
}

function say(story: Story, name: string, ...facts: AgentFact[]) {
  const state = story.run.liveByLaunch.get(currentLaunch(story, name))?.launches.current;
  const from = state?.offset ?? 0;
  return story.tell({
    type: 'output',
    launchId: currentLaunch(story, name),
    from,
    to: from + 10,
    codec: '{}',
    replies: [],
    facts,
  });
}

const currentLaunch = (story: Story, name: string) =>
  launch(name, 1, story.run.live.get(attempt(name))?.launches.count ?? 1);

/** A tool round: what the session has used so far, and the question whether it may go on. */
const round = (story: Story, name: string, sofar: Usage, requestId = 'r1') =>
  say(story, name, { kind: 'metered', parts: [{ model: 'm', usage: sofar }] }, { kind: 'round', requestId });

const spend = (story: Story, name: string, usage: Usage) => say(story, name, { kind: 'usage', model: 'm', usage });

function prompted(story: Story, name: string): void {
  launched(story, name);
  story.tell({ type: 'written', launchId: launch(name), recordId: `record_${name}-1-1`, end: 10 });
  say(story, name, { kind: 'session', session: `s-${name}` }, { kind: 'delivered', recordId: `record_${name}-1-1` });
}

const answers = (story: Story) =>
  story.events.flatMap((event) =>
    event.type === 'record.queued' && event.body.kind === 'round' ? [event.body.goOn] : [],
  );

const types = (story: Story) => story.events.map(({ type }) => type);
const host = () => ({ ...emptyHost(), slots: 100 });
const next = (story: Story) => pickNext(host(), [story.run], story.now, 'h');

/** Brakes task `a` at its next tool round and parks it. */
function parkedAt(story: Story, sofar: Usage): void {
  round(story, 'a', sofar);
  say(story, 'a', { kind: 'usage', model: 'm', usage: sofar }, endOfTurn);
  story.tell({ type: 'tick' });
  down(story, 'a', 0);
}

const endOfTurn: AgentFact = { kind: 'turnEnded', turn: { kind: 'ok', text: '', cut: false } };

describe('a budget in the middle of a turn', () => {
  it('lets an agent go on while anything is left, and stops it at the next tool round [BUD-1, BUD-2, BUD-21]', () => {
    const story = budgeted({ microUsd: 5_000_000 }, task('a'));
    prompted(story, 'a');
    round(story, 'a', dollars(4.999999));
    expect(answers(story)).toEqual([true]);
    round(story, 'a', dollars(5));
    round(story, 'a', dollars(5), 'r2');
    expect(answers(story)).toEqual([true, false, false]);
    expect(types(story).filter((type) => type === 'attempt.braked')).toHaveLength(1);
  });

  it('is asked for by every agent that was launched with one [BUD-21]', () => {
    const story = budgeted({ turns: 3 }, task('a'));
    prompted(story, 'a');
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: {}, by: 'ann' });
    expect(story.run.spending.budget).toBeNull();
    expect(story.run.live.get(attempt('a'))?.launches.current?.asks).toBe(true);
    down(story, 'a', null);
    expect(story.run.live.get(attempt('a'))?.launches.current?.asks).toBe(false);
  });

  it('parks the attempt when its turn has ended: no process, no slot, and it is not done [BUD-3]', () => {
    const story = budgeted({ microUsd: 5_000_000 }, task('a'));
    prompted(story, 'a');
    parkedAt(story, dollars(5.1));
    expect(story.run.live.get(attempt('a'))).toMatchObject({
      state: 'resting',
      stop: null,
      parking: { parked: { why: { kind: 'budget' } } },
    });
    expect(story.run.parked.size).toBe(1);
    expect(story.pending()).toEqual({ effects: [], wakeAt: null });
    const a = story.run.tasks.get(taskId('a'));
    expect(a && waitReason(story.run, a, host(), story.now)).toBe(
      'budget: the budget of the run is exhausted: $5.10 of $5.00',
    );
  });

  it('is reported once, however often it is met, and again after it was raised and exhausted [BUD-4]', () => {
    const story = budgeted({ turns: 1 }, task('a'), task('b'));
    prompted(story, 'a');
    prompted(story, 'b');
    spend(story, 'a', dollars(0.1));
    spend(story, 'b', dollars(0.1));
    for (let i = 0; i < 3; i++) story.tell({ type: 'tick' });
    const told = () => types(story).filter((type) => type === 'ask.opened').length;
    expect(told()).toBe(1);
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { turns: 3 }, by: 'ann' });
    story.tell({ type: 'tick' });
    expect(told()).toBe(1);
    spend(story, 'a', dollars(0.1));
    story.tell({ type: 'tick' });
    expect(told()).toBe(2);
  });
});

describe('an attempt that was parked', () => {
  it('resumes its session when the budget was raised, before anything new starts [BUD-5]', () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('z'), task('a', { priority: -1 }));
    prompted(story, 'a');
    parkedAt(story, dollars(1));
    expect(next(story)).toBeNull();
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { microUsd: 2_000_000 }, by: 'ann' });
    const pick = next(story);
    expect(pick?.command).toMatchObject({ type: 'goOn', attemptId: attempt('a') });
    if (pick !== null) story.tell(pick.command);
    expect(story.events.filter(({ type }) => type === 'launch.intended').at(-1)).toMatchObject({ resume: true });
    expect(story.events.at(-1)).toMatchObject({ type: 'record.queued', body: { kind: 'text' } });
    expect(next(story)?.command).toMatchObject({ type: 'start', taskId: taskId('z') });
  });

  it('is none if its command ended before it could be parked: finished work stays finished [BUD-23]', () => {
    const story = budgeted({ timeMs: 1_000 }, task('a', { spends: false }));
    launched(story, 'a');
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 10 });
    say(story, 'a', { kind: 'delivered', recordId: 'record_a-1-1' });
    story.now += 1_000;
    story.tell({ type: 'tick' });
    expect(story.run.live.get(attempt('a'))?.stop?.reason).toBe('parked');
    const turn = { kind: 'ok', text: '', cut: false } as const;
    story.tell({ type: 'down', launchId: launch('a'), status: 0, turn });
    expect(story.events.at(-1)).toMatchObject({ type: 'attempt.finished', verdict: { kind: 'ok' } });
  });

  it("gets both the note that it goes on and a person's message [BUD-5]", () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('a'));
    prompted(story, 'a');
    parkedAt(story, dollars(1));
    story.tell({ type: 'send', recordId: 'record_x', taskId: taskId('a'), from: 'ann', text: 'Use tabs.' });
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { microUsd: 2_000_000 }, by: 'ann' });
    story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
    const records = story.run.agents.get(`agent_a-1`)?.mailbox.records ?? [];
    expect(records.map(({ from, body }) => [from, body])).toEqual([
      ['ann', { kind: 'text', text: 'Use tabs.' }],
      ['signalbox', { kind: 'text', text: expect.stringContaining('Go on with your task') }],
    ]);
  });

  it('survives a snapshot, and can be stopped [BUD-3]', () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('a'));
    prompted(story, 'a');
    parkedAt(story, dollars(1));
    expect([...readRun(writeRun(story.run)).parked.keys()]).toEqual([attempt('a')]);
    story.tell({ type: 'stopRun', by: 'ann' });
    story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'c' });
    expect(story.run).toMatchObject({ state: 'ended', outcome: 'stopped' });
    expect(story.run.parked.size).toBe(0);
  });

  it('keeps messages that came while it was being parked [BUD-3]', () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('a'));
    prompted(story, 'a');
    round(story, 'a', dollars(1));
    say(story, 'a', endOfTurn);
    story.tell({ type: 'send', recordId: 'record_p', taskId: taskId('a'), from: 'ann', text: 'hello' });
    down(story, 'a', 0);
    expect([...story.run.agents.values()][0]?.mailbox.records.map(({ id }) => id)).toContain('record_p');
    expect(story.run.parked.size).toBe(1);
  });

  it('ends as stopped if it is stopped while its process is ending [BUD-3]', () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('a'));
    prompted(story, 'a');
    round(story, 'a', dollars(1));
    say(story, 'a', endOfTurn);
    story.tell({ type: 'stopRun', by: 'ann' });
    down(story, 'a', 0);
    expect(story.run.live.get(attempt('a'))?.result.verdict).toMatchObject({ failure: { reason: 'stopped' } });
  });

  it('does not run out of time while it waits [BUD-6]', () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('a', { timeoutMs: 60_000 }));
    prompted(story, 'a');
    parkedAt(story, dollars(1));
    story.now += 3_600_000;
    expect(story.tell({ type: 'tick' })).toEqual([]);
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { microUsd: 2_000_000 }, by: 'ann' });
    const pick = next(story);
    if (pick !== null) story.tell(pick.command);
    story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
    story.now += 59_000;
    expect(story.tell({ type: 'tick' })).toEqual([]);
    story.now += 1_000;
    expect(story.tell({ type: 'tick' })).toContainEqual(expect.objectContaining({ reason: 'timeout' }));
  });
});

describe('an exhausted budget', () => {
  it('lets no process start and no turn begin [BUD-2]', () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('a'), task('b'), task('c'));
    prompted(story, 'a');
    launched(story, 'b');
    story.tell({ type: 'start', taskId: taskId('c'), host: 'h' });
    spend(story, 'a', dollars(1));
    expect(story.pending().effects.filter(({ kind }) => kind === 'write')).toEqual([]);
    story.tell({ type: 'tick' });
    expect(story.run.live.get(attempt('b'))?.stop?.reason).toBe('parked');
    expect(story.run.live.get(attempt('a'))?.stop).toBeNull();
    const events = story.tell({ type: 'prepared', attemptId: attempt('c'), path: '/w', base: 'b0' });
    expect(events.map(({ type }) => type)).toEqual(['workspace.ready', 'attempt.parked']);
  });

  it('does not undo finished work: a turn that ends with nothing left ends its task [BUD-23]', () => {
    const story = budgeted({ microUsd: 1_000_000 }, task('a'));
    launched(story, 'a');
    spend(story, 'a', dollars(3));
    turned(story, 'a');
    expect(story.run.live.get(attempt('a'))?.stop?.reason).toBe('finished');
  });

  it('of one task stops that task alone [BUD-7]', () => {
    const own = { budget: { tokens: 200 } };
    const story = submitted(task('a', own), task('b', own));
    prompted(story, 'a');
    prompted(story, 'b');
    round(story, 'a', { ...dollars(1), inputTokens: 250 });
    round(story, 'b', { ...dollars(1), inputTokens: 150 });
    expect(answers(story)).toEqual([false, true]);
  });

  it('applies to a command in time only, since its usage is unknown [BUD-8]', () => {
    const story = budgeted({ microUsd: 1, timeMs: 1_000 }, task('a', { spends: false }));
    launched(story, 'a');
    spend(story, 'a', dollars(3));
    expect(story.tell({ type: 'tick' })).toEqual([]);
    story.now += 1_000;
    expect(story.tell({ type: 'tick' })).toContainEqual(expect.objectContaining({ reason: 'parked' }));
  });

  it('of time is not reported again by the clock [BUD-1]', () => {
    const story = budgeted({ timeMs: 1_000 }, task('a'));
    prompted(story, 'a');
    expect(story.pending().wakeAt).toBe(story.now + 1_000);
    story.now += 1_500;
    story.tell({ type: 'tick' });
    expect(story.pending().wakeAt).toBeGreaterThan(story.now);
  });

  it("together with a task's timeout leaves one reason to end [BUD-3]", () => {
    const story = budgeted({ timeMs: 1_000 }, task('a', { timeoutMs: 1_000 }));
    prompted(story, 'a');
    story.now += 1_000;
    for (let i = 0; i < 2; i++) story.tell({ type: 'tick' });
    expect(story.events.filter(({ type }) => type === 'stop.asked')).toMatchObject([{ reason: 'timeout' }]);
  });

  it('lets no process follow a lost one: the attempt waits, and its agent is told of the loss later [BUD-2]', () => {
    const story = budgeted({ turns: 1 }, task('a'));
    prompted(story, 'a');
    say(story, 'a', { kind: 'metered', parts: [{ model: 'm', usage: dollars(1) }] });
    down(story, 'a', null);
    expect(story.run.parked.get(attempt('a'))?.parking.parked?.why.kind).toBe('budget');
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { turns: 2 }, by: 'ann' });
    const pick = next(story);
    const since = story.events.length;
    if (pick !== null) story.tell(pick.command);
    expect(types(story).slice(since)).toEqual(['attempt.unparked', 'launch.intended']);
    expect(story.run.agents.get(`agent_a-1`)?.mailbox.records).toMatchObject([{ body: { text: /interrupted/ } }]);
  });
});

describe('the budget of a day', () => {
  it('of money holds no command, and one of time parks it at once [BUD-8] [BUD-14]', () => {
    const story = submitted(task('a', { spends: false }), task('b'));
    story.tell({ type: 'day', limited: true, exhausted: 'no money' });
    expect(next(story)?.command).toMatchObject({ taskId: taskId('a') });
    launched(story, 'a');
    expect(next(story)).toBeNull();
    story.tell({ type: 'day', limited: true, exhausted: 'no time', timed: true });
    story.tell({ type: 'tick' });
    expect(story.run.live.get(attempt('a'))?.stop?.reason).toBe('parked');
  });
});

describe('unknown usage', () => {
  it('exhausts a budget of money until a person sets it again [BUD-9]', () => {
    const story = budgeted({ microUsd: 9_000_000 }, task('a'), task('b'));
    prompted(story, 'a');
    spend(story, 'a', { ...dollars(1), costMicroUsd: null });
    round(story, 'a', dollars(0));
    expect(answers(story)).toEqual([false]);
    story.tell({ type: 'tick' });
    expect(openBudgetAsk(story.run, { of: 'run' })).toMatchObject({ what: 'unknown' });
    expect(next(story)).toBeNull();
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { microUsd: 9_000_000 }, by: 'ann' });
    expect(next(story)?.command).toMatchObject({ type: 'start', taskId: taskId('b') });
  });

  it('of a process that died in the middle of a turn is read from its transcript, once [BUD-10]', () => {
    const story = budgeted({ microUsd: 9_000_000 }, task('a'));
    prompted(story, 'a');
    spend(story, 'a', dollars(1));
    say(story, 'a', { kind: 'metered', parts: [{ model: 'm', usage: { ...dollars(2), turns: 3, estimated: true } }] });
    down(story, 'a', null);
    expect(story.run.spending.usage).toMatchObject({ costMicroUsd: 3_000_000, estimatedMicroUsd: 2_000_000, turns: 4 });
    story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
    down(story, 'a', null, 1, 2);
    expect(story.run.spending.usage.costMicroUsd).toBe(3_000_000);
  });
});

describe('a reservation', () => {
  const four = { budget: { microUsd: 4_000_000 } };

  it('for one task is not available to another, until it is returned [BUD-11]', () => {
    const story = budgeted({ microUsd: 5_000_000 }, task('a', four), task('b', four), task('c'));
    const pick = next(story);
    expect(pick?.command).toMatchObject({ taskId: taskId('a'), reserved: { microUsd: 4_000_000 } });
    if (pick !== null) story.tell(pick.command);
    expect(next(story)?.command).toMatchObject({ taskId: taskId('c') });
    const b = story.run.tasks.get(taskId('b'));
    expect(b && waitReason(story.run, b, host(), 0)).toBe(
      'budget: what it may spend is set apart for others at the moment',
    );
    story.tell({ type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b0' });
    story.tell({ type: 'launched', launchId: launch('a'), process: null });
    spend(story, 'a', dollars(0.5));
    turned(story, 'a');
    down(story, 'a', 0);
    story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'b0' });
    expect(next(story)?.command).toMatchObject({ taskId: taskId('b'), reserved: { microUsd: 4_000_000 } });
  });

  it('is what is left, if no other task can return anything [BUD-22]', () => {
    const story = budgeted({ microUsd: 5_000_000 }, task('c'), task('b', four));
    prompted(story, 'c');
    spend(story, 'c', dollars(3));
    expect(next(story)?.command).toMatchObject({ taskId: taskId('b'), reserved: { microUsd: 2_000_000 } });
  });

  it('is not used by tasks without one [BUD-11]', () => {
    const story = budgeted({ microUsd: 5_000_000 }, task('a', four), task('c'));
    const pick = next(story);
    if (pick !== null) story.tell(pick.command);
    prompted(story, 'c');
    round(story, 'c', dollars(1));
    expect(answers(story)).toEqual([false]);
    expect(story.tell({ type: 'tick' })).toEqual([]);
  });
});

describe('a budget of agents', () => {
  it('starts no more agents, and the existing ones go on [BUD-20]', () => {
    const story = budgeted({ agents: 2 }, ...['a', 'b', 'c', 'd'].map((name) => task(name)));
    for (const name of ['a', 'b']) prompted(story, name);
    expect(next(story)).toBeNull();
    for (let i = 0; i < 2; i++) story.tell({ type: 'tick' });
    expect(types(story).filter((type) => type === 'ask.opened')).toHaveLength(1);
    const c = story.run.tasks.get(taskId('c'));
    expect(c && waitReason(story.run, c, host(), 0)).toBe('budget: the budget of the run is exhausted: 2 of 2 agents');
    round(story, 'a', dollars(1));
    expect(answers(story)).toEqual([true]);
    turned(story, 'a');
    down(story, 'a', 0);
    story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'b0' });
    expect(next(story)).toBeNull();
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { agents: 3 }, by: 'ann' });
    expect(next(story)?.command).toMatchObject({ taskId: taskId('c') });
  });
});

describe('setting a budget', () => {
  it('refuses invalid values [BUD-12]', () => {
    const story = submitted(task('a'));
    const ask = (scope: object) =>
      story.ask({ type: 'setBudget', scope, budget: { turns: 1 }, by: 'ann' } as Parameters<Story['ask']>[0]);
    expect(ask({ of: 'task', taskId: 'task_x' })).toMatchObject({ kind: 'refused', refusal: { kind: 'unknown' } });
    expect(ask({ of: 'tree', taskId: taskId('a') })).toMatchObject({ kind: 'refused' });
    expect(ask({ of: 'task', taskId: taskId('a') })).toMatchObject({ kind: 'decided' });
  });

  it('below what is spent is allowed: nothing goes on until there is more [BUD-12]', () => {
    const story = budgeted({ microUsd: 9_000_000 }, task('a'), task('b'));
    prompted(story, 'a');
    spend(story, 'a', dollars(3));
    story.tell({ type: 'setBudget', scope: { of: 'run' }, budget: { microUsd: 1_000_000 }, by: 'ann' });
    expect(next(story)).toBeNull();
    story.tell({ type: 'tick' });
    expect(openBudgetAsk(story.run, { of: 'run' })).toMatchObject({
      what: 'microUsd',
      spent: 3_000_000,
      limit: 1_000_000,
    });
  });
});

describe('booked usage', () => {
  const usages = fc.record({
    inputTokens: fc.nat(1e9),
    outputTokens: fc.nat(1e9),
    cacheReadTokens: fc.nat(1e9),
    cacheWriteTokens: fc.nat(1e9),
    costMicroUsd: fc.option(fc.nat(1e9)),
    turns: fc.nat(100),
  });
  const add = (all: readonly UsageTotal[]): UsageTotal => {
    const total = noUsage();
    for (const each of all) for (const name of Object.keys(total) as (keyof UsageTotal)[]) total[name] += each[name];
    return total;
  };

  it("of a run is the exact sum of its tasks' and of its models' [BUD-13]", () => {
    const entry = fc.tuple(fc.constantFrom('m.1', 'm.2', 'c'), fc.constantFrom('x', 'y'), usages);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const story = submitted(task('m', { kind: 'matrix', items: [1, 2] }), task('c'));
        story.tell({ type: 'tick' });
        const ids = { 'm.1': 'mi1', 'm.2': 'mi2', c: 'c' } as const;
        for (const name of Object.values(ids)) launched(story, name);
        for (const [name, model, usage] of entries) say(story, ids[name], { kind: 'usage', model, usage });
        const tasks = [...story.run.tasks.values()];
        const leaves = tasks.filter(({ spec }) => spec.kind === 'work');
        expect(story.run.spending.usage).toEqual(add(leaves.map(({ spending: { usage } }) => usage)));
        expect(story.run.spending.usage).toEqual(
          add(leaves.flatMap(({ spending: { usageOf } }) => Object.values(usageOf))),
        );
        const matrix = story.run.tasks.get(taskId('m'));
        const members = leaves.filter(({ spec }) => spec.parent !== null);
        expect(matrix?.spending.treeUsage).toEqual(add(members.map(({ spending: { usage } }) => usage)));
      }),
    );
  });

  it('and reservations never exceed the budget [BUD-24]', () => {
    const budgets = fc.record(Object.fromEntries(dimensions.map((what) => [what, fc.integer({ min: 1, max: 100 })])), {
      requiredKeys: [],
    }) as fc.Arbitrary<Budget>;
    fc.assert(
      fc.property(budgets, fc.array(fc.option(budgets), { minLength: 1, maxLength: 6 }), (whole, each) => {
        const story = budgeted(whole, ...each.map((budget, i) => task(`t${i}`, { budget })));
        for (let pick = next(story); pick !== null; pick = next(story)) story.tell(pick.command);
        for (const what of dimensions) {
          const apart = [...story.run.live.values()].reduce(
            (sum, { spending: { reserved } }) => sum + (reserved?.[what] ?? 0),
            0,
          );
          if (whole[what] !== undefined) expect(apart).toBeLessThanOrEqual(whole[what]);
        }
        for (const waiting of story.run.tasks.values()) {
          if (waiting.state === 'ready') expect(reserve(story.run, waiting, story.now).kind).toBe('wait');
        }
      }),
    );
  });
});
