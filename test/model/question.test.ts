// Stories about asks: at gates, with forms, who may answer, in time, and once.

import { describe, expect, it } from 'vitest';
import { lastAskAbout } from '../../src/model/asks/find-asks.ts';
import type { FormField, GateSpec } from '../../src/model/asks/gate-spec.ts';
import { permissionId, questionId, taskOfQuestion } from '../../src/model/core/ids.ts';
import type { JsonObject } from '../../src/model/core/json.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { waitReason } from '../wait-reason.ts';
import { must, settle, states, succeedWith } from './plan-story.ts';
import { attempt, launched, outcomeOf, type Story, submitted, succeed, task, taskId } from './story.ts';

const usual: GateSpec = { message: 'Ship it?', shows: [], form: [], timeoutMs: null, onTimeout: 'reject', who: [] };
const gate = (name: string, more: Partial<GateSpec> = {}, spec: Partial<TaskSpec> = {}): TaskSpec =>
  task(name, { kind: 'gate', gate: { ...usual, ...more }, ...spec });
const field = (name: string, more: Partial<FormField> = {}): FormField => {
  return { name, type: 'text', label: '', options: [], required: true, usual: null, ...more };
};

/** A gate `g` that is asked, before `after`. */
function asking(more: Partial<GateSpec> = {}, spec: Partial<TaskSpec> = {}): Story {
  const story = submitted(gate('g', more, spec), task('after', { needs: [taskId('g')] }));
  settle(story);
  return story;
}

const answer = (approved = true, by = 'ann', more: { values?: JsonObject; choice?: string } = {}, n = 1) =>
  ({
    type: 'answerAsk',
    askId: questionId(taskId('g'), n),
    approved,
    by,
    message: null,
    remember: null,
    ...more,
  }) as const;

const refusal = (story: Story, ...given: Parameters<typeof answer>) => {
  const decision = story.ask(answer(...given));
  return decision.kind === 'refused' ? `${decision.refusal.kind}: ${decision.refusal.reason}` : 'decided';
};

const week = 7 * 24 * 3_600_000;

describe('a gate', () => {
  it('asks when its needs have ended: no attempt, no slot, a visible wait that survives a snapshot [GATE-5]', () => {
    const message = ['Ship ', { ref: ['tasks', 'find', 'output', 'version'] }, '?\nLook first.'];
    const story = submitted(
      task('find', { output: { type: 'object' } }),
      gate('g', { message }, { needs: [taskId('find')] }),
      task('after', { needs: [taskId('g')] }),
    );
    settle(story);
    expect(states(story)).toEqual({ find: 'ready', g: 'blocked', after: 'blocked' });
    succeedWith(story, 'find', { version: '2.0' });
    settle(story);
    expect(states(story)).toEqual({ find: 'succeeded', g: 'active', after: 'blocked' });
    expect(story.run.live.size).toBe(0);
    expect(story.pending()).toEqual({ effects: [], wakeAt: null });
    expect(lastAskAbout(story.run, taskId('g'))).toMatchObject({ id: 'ask_g-q1', openedAt: story.now, state: 'open' });
    expect(waitReason(story.run, must(story, 'g'), emptyHost(), story.now)).toBe('a person: Ship 2.0? (ask_g-q1)');
    const again = readRun(writeRun(story.run));
    expect([...again.openAsks.keys()]).toEqual(['ask_g-q1']);
    expect(writeRun(again)).toBe(writeRun(story.run));
  });

  it('whose condition does not hold asks no person [GATE-5]', () => {
    const story = submitted(gate('g', {}, { when: { op: 'value', value: false } }));
    settle(story);
    expect(outcomeOf(story, 'g')?.kind).toBe('omitted');
  });

  it('that is approved has succeeded with its values, with who and when in the journal [GATE-6]', () => {
    const form = [
      field('version'),
      field('loud', { type: 'boolean', usual: false }),
      field('why', { required: false }),
    ];
    const story = asking({ form });
    story.now += week;
    story.tell(answer(true, 'ann', { values: { version: '2.1' } }));
    expect(must(story, 'g').output).toEqual({ version: '2.1', loud: false, why: null });
    expect(lastAskAbout(story.run, taskId('g'))?.answer).toMatchObject({ by: 'ann', at: 1_000 + week });
    expect(story.run.openAsks.size).toBe(0);
    succeed(story, 'after');
    expect(story.run.outcome).toBe('succeeded');
  });

  it('that is rejected has failed with who and why, and its dependants are skipped [GATE-18]', () => {
    const story = asking();
    story.tell({ ...answer(false), message: 'not on a Friday' });
    expect(outcomeOf(story, 'g')).toEqual({
      kind: 'failed',
      failure: { reason: 'rejected', detail: 'ann rejected it: not on a Friday' },
    });
    expect(states(story)).toEqual({ g: 'failed', after: 'skipped' });
    expect(story.run.outcome).toBe('failed');
  });

  it('that is rejected stops the run if it says so [GATE-18]', () => {
    const story = submitted(gate('g', {}, { onFailure: 'stop' }), task('x'));
    settle(story);
    story.tell(answer(false));
    expect(states(story)).toEqual({ g: 'failed', x: 'stopped' });
    expect(story.run.outcome).toBe('failed');
  });

  it('is decided once: the same answer again changes nothing, another is refused with who was first [GATE-7]', () => {
    const story = asking({ form: [field('n', { type: 'number', usual: 1 })] });
    story.tell(answer());
    expect(refusal(story)).toMatch(/^stale/);
    expect(refusal(story, true, 'ann', { values: { n: 1 } })).toMatch(/^stale/);
    const first = 'notAllowed: ann has approved it already, at 1970-01-01T00:00:01.000Z';
    expect(refusal(story, true, 'ann', { values: { n: 2 } })).toBe(first);
    expect(refusal(story, true, 'bob')).toBe(first);
    expect(refusal(story, false)).toBe(first);
    expect(refusal(story, true, 'ann', {}, 2)).toMatch(/^unknown: nobody waits for an answer to ask_g-q2/);
  });

  it('is decided only by the people it names [GATE-7]', () => {
    const story = asking({ who: ['ann', 'bob'] });
    expect(refusal(story, true, 'carl')).toBe('notAllowed: ann, bob may decide it, carl may not');
    expect(refusal(story, true, 'bob')).toBe('decided');
  });

  it('has no choices and remembers nothing [GATE-7]', () => {
    const story = asking();
    expect(refusal(story, true, 'ann', { choice: 'retry' })).toMatch(/nothing to choose/);
    expect(story.ask({ ...answer(), remember: 'tool' })).toMatchObject({
      refusal: { reason: expect.stringMatching(/can be remembered/) },
    });
  });
});

describe('the form of a gate', () => {
  const form = [
    field('version'),
    field('count', { type: 'number' }),
    field('loud', { type: 'boolean', required: false }),
    field('where', { type: 'choice', options: ['east', 'west'], usual: 'east' }),
  ];
  const good = { version: '1', count: 2 };

  const cases: [JsonObject, RegExp | 'decided'][] = [
    [good, 'decided'],
    [{ ...good, where: 'west', loud: true }, 'decided'],
    [{}, /"version" \(text\) is not filled in; field "count" \(number\) is not filled in$/],
    [{ ...good, version: '' }, /"version" \(text\) is not filled in/],
    [{ ...good, version: 7 }, /"version" is a text/],
    [{ ...good, count: '2' }, /"count" is a number/],
    [{ ...good, loud: 'yes' }, /"loud" is true or false/],
    [{ ...good, where: 'north' }, /"where" is one of east, west/],
    [{ ...good, wher: 'east' }, /no field "wher": there are version, count, loud, where/],
    [{ ...good, version: 'x'.repeat(20_001) }, /at most 20000 characters/],
    [JSON.parse('{"version":"1","count":2,"__proto__":1}') as JsonObject, /no field "__proto__"/],
  ];

  it.each(cases)('is accepted whole or not at all: %j [GATE-8]', (values, expected) => {
    const story = asking({ form });
    const before = writeRun(story.run);
    const told = refusal(story, true, 'ann', { values });
    if (expected === 'decided') expect(told).toBe(expected);
    else expect(told).toMatch(expected);
    expect(writeRun(story.run)).toBe(before);
  });

  it('is not filled in by a rejection [GATE-8]', () => {
    expect(refusal(asking({ form }), false, 'ann', { values: good })).toMatch(/what is rejected has no values/);
    expect(refusal(asking({ form }), false)).toBe('decided');
  });
});

describe('a gate that nobody could pass', () => {
  const cases: [string, Partial<TaskSpec>, RegExp][] = [
    ['no words', { gate: null }, /a gate says what is asked/],
    ['of another kind', { kind: 'work' }, /only a gate asks/],
    ['a field twice', { gate: { ...usual, form: [field('a'), field('a')] } }, /two fields are called "a"/],
    ['no options', { gate: { ...usual, form: [field('a', { type: 'choice' })] } }, /a choice without options/],
    ['options of a text', { gate: { ...usual, form: [field('a', { options: ['x'] })] } }, /options and is no choice/],
    ['a conflict', { gate: { ...usual, form: [field('a', { usual: 3 })] } }, /usual does not fit: field "a" is a text/],
    [
      'no value',
      { gate: { ...usual, form: [field('a')], timeoutMs: 1, onTimeout: 'approve' } },
      /by its timeout: field/,
    ],
    [
      'an output of nobody',
      { gate: { ...usual, shows: [{ kind: 'output', task: 'x' }] } },
      /tasks\.x\.output, and there is no task "x" in this run/,
    ],
  ];

  it.each(cases)('is refused with its run: %s [GATE-11]', (_what, spec, words) => {
    expect(() => submitted({ ...gate('g'), ...spec })).toThrow(words);
  });
});

describe('a gate with a timeout', () => {
  it('is rejected or approved by its timeout, and then by nobody [GATE-9]', () => {
    const late = asking({ timeoutMs: week });
    expect(late.pending().wakeAt).toBe(1_000 + week);
    late.now += week - 1;
    settle(late);
    expect(states(late)).toMatchObject({ g: 'active' });
    late.now += 1;
    expect(refusal(late)).toMatch(/^notAllowed: nobody decided it until 1970-01-08T00:00:01.000Z/);
    settle(late);
    expect(outcomeOf(late, 'g')).toMatchObject({ kind: 'failed', failure: { reason: 'rejected' } });
    expect(refusal(late)).toMatch(
      /^notAllowed: ask_g-q1 can be decided no more: nobody decided it until .*: it is rejected by its timeout$/,
    );
    const form = [field('n', { type: 'number', usual: 4 })];
    const passed = asking({ timeoutMs: 10, onTimeout: 'approve', form });
    passed.now += 10;
    settle(passed);
    expect(states(passed)).toEqual({ g: 'succeeded', after: 'ready' });
    expect(must(passed, 'g').output).toEqual({ n: 4 });
    expect(lastAskAbout(passed.run, taskId('g'))).toMatchObject({ state: 'expired', answer: null });
  });

  it('is not late because the clock went back [GATE-19]', () => {
    const story = asking({ timeoutMs: 1_000 });
    story.now -= 900;
    settle(story);
    expect(states(story)).toMatchObject({ g: 'active' });
    expect(refusal(story)).toBe('decided');
  });
});

describe('a question that is no longer needed', () => {
  it.each(['stopRun', 'stopTask'] as const)('is closed by %s, and cannot be answered any more [GATE-10]', (type) => {
    const story = asking({ timeoutMs: 10 });
    story.tell({ type, taskId: taskId('g'), by: 'ann' });
    expect(outcomeOf(story, 'g')?.kind).toBe('stopped');
    expect(story.run.state).toBe('ended');
    expect(story.run.openAsks.size).toBe(0);
    expect(story.pending().wakeAt).toBe(null);
    expect(refusal(story)).toMatch(/^notAllowed: ask_g-q1 can be decided no more: it was stopped$/);
  });

  it('is asked again when its task runs again, and only the new one can be answered [GATE-10]', () => {
    const story = asking();
    story.tell(answer(false));
    story.tell({ type: 'retryTask', taskId: taskId('g'), by: 'ann' });
    settle(story);
    expect(lastAskAbout(story.run, taskId('g'))).toMatchObject({ id: 'ask_g-q2', state: 'open' });
    expect(refusal(story, true)).toBe('unknown: nobody waits for an answer to ask_g-q1; what is asked now is ask_g-q2');
    story.tell(answer(true, 'ann', {}, 2));
    expect(states(story)).toEqual({ g: 'succeeded', after: 'ready' });
  });

  it('keeps the tasks it shows from running again meanwhile [GATE-10]', () => {
    const needs = [taskId('a')];
    const story = submitted(task('a'), gate('g', {}, { needs, tolerates: needs }));
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    settle(story);
    const decision = story.ask({ type: 'retryTask', taskId: taskId('a'), by: 'ann' });
    expect(decision).toMatchObject({ refusal: { reason: expect.stringMatching(/"g" goes on with how "a" ended/) } });
    expect(story.ask({ type: 'resumeRun', by: 'ann' })).toMatchObject({
      refusal: { reason: 'the run has not ended: "g" waits for a person' },
    });
  });
});

describe('the ids of questions', () => {
  it("tell a question about a task from an agent's question", () => {
    for (const name of ['a', 'a-q1', 'a-1', 'ai3']) {
      expect(taskOfQuestion(questionId(taskId(name), 2))).toBe(taskId(name));
      expect(taskOfQuestion(permissionId(attempt(name), 2))).toBe(null);
    }
  });

  it('an answer with values to an agent is refused', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const facts = [{ kind: 'permissionRequest', requestId: 'r', tool: 'Bash', input: {} }] as const;
    story.tell({ type: 'output', launchId: 'launch_a-1-1', from: 0, to: 1, codec: '{}', replies: [], facts });
    const decision = story.ask({ ...answer(), askId: permissionId(attempt('a'), 1), values: { x: 1 } });
    expect(decision).toMatchObject({ refusal: { reason: expect.stringMatching(/nothing to fill in/) } });
  });
});
