// Stories about agents that spawn agents: what they get, what they are refused, how their children end.

import { describe, expect, it } from 'vitest';
import { childId } from '../../src/model/core/ids.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import { waitReason } from '../wait-reason.ts';
import {
  agentOf,
  atWork,
  call,
  endTurn,
  fail,
  finish,
  gone,
  heard,
  named,
  plainSpawn,
  spawn,
  stop,
  wait,
  withChildren,
} from './children-story.ts';
import { settle, states } from './plan-story.ts';
import { createStory, type Story, submitted, task, taskId } from './story.ts';

function parent(more: Parameters<typeof task>[1] = {}): Story {
  const story = submitted(task('a', more));
  atWork(story, 'a');
  return story;
}

const noUse = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, turns: 1, costMicroUsd: 0 };

const answersOf = (story: Story, name: string): number =>
  agentOf(story, name).mailbox.records.filter(({ body }) => body.kind === 'toolAnswer').length;

describe('a tool call', () => {
  it('is carried out, journalled with its caller, and answered in one decision with its offset [CHILD-1]', () => {
    const story = parent();
    const { events } = spawn(story, 'a', 'b');
    expect(events.map(({ type }) => type)).toEqual(['task.added', 'call.answered', 'record.queued', 'launch.read']);
    expect(events[1]).toMatchObject({ agentId: 'agent_a-1', tool: 'spawn_agent', isError: false });
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
  });

  it('that is repeated under the same id is answered the same and does nothing [CHILD-2]', () => {
    const story = parent();
    const again = { callId: 'toolu_x' };
    const first = spawn(story, 'a', 'b');
    const request = { tool: 'report_progress', line: 'x', fraction: null } as const;
    const once = call(story, 'a', request, again);
    const twice = call(story, 'a', request, again);
    expect(first.isError).toBe(false);
    expect(twice.text).toBe(once.text);
    expect(twice.events.map(({ type }) => type)).toEqual(['record.queued', 'launch.read']);
    expect(answersOf(story, 'a')).toBe(3);
  });

  it('that is repeated gets the whole answer again, also a long one [CHILD-2]', () => {
    const story = parent({ writes: ['src/**'] });
    const paths = Array.from({ length: 50 }, (_, n) => `src/${'x'.repeat(50)}/${n}`);
    const claim = { tool: 'claim_paths', paths } as const;
    const once = call(story, 'a', claim, { callId: 'toolu_y' });
    const twice = call(story, 'a', claim, { callId: 'toolu_y' });
    expect(once.text.length).toBeGreaterThan(2_500);
    expect(twice.text).toBe(once.text);
  });

  it('is forgotten when many or long ones follow', () => {
    const story = parent();
    const answer = (n: number) =>
      ({ tool: 'answered', name: 'x', text: `${n}`.repeat(100_000), isError: true }) as const;
    for (const n of [1, 2, 3]) call(story, 'a', answer(n));
    expect(agentOf(story, 'a').memory.calls.map(({ text }) => text[0])).toEqual(['2', '3']);
    for (let n = 0; n < 70; n++) spawn(story, 'a', 'parent');
    expect(agentOf(story, 'a').memory.calls).toHaveLength(64);
  });

  it('is reported to its agent if the process was lost since, until a turn ended well [LAU-11]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    spawn(story, 'a', 'parent');
    call(story, 'a', { tool: 'report_progress', line: 'x', fraction: null });
    gone(story, 'a', null);
    const told = () =>
      agentOf(story, 'a').mailbox.records.map(({ body }) => (body.kind === 'text' ? body.text : body.kind));
    const [note = '', ...others] = told();
    expect(others).toEqual([]);
    expect(note.split('\n- ').slice(1)).toEqual([
      expect.stringMatching(/^spawn_agent: Agent "b" is on its way \(task_/),
    ]);
    atWork(story, 'a');
    endTurn(story, 'a');
    story.tell({ type: 'send', recordId: 'record_x', taskId: taskId('a'), from: 'ann', text: 'go on' });
    atWork(story, 'a');
    gone(story, 'a', null);
    expect(told()).toEqual([expect.stringMatching(/^Your process was interrupted(?!.*spawn_agent)/s)]);
  });

  it('is reported newest first and briefly, also beside waiting records [LAU-11]', () => {
    const story = withChildren({ spawnsPerMinute: 100 }, task('a'));
    atWork(story, 'a');
    for (let n = 1; n <= 12; n++) spawn(story, 'a', `b${n}`);
    story.tell({ type: 'send', recordId: 'record_x', taskId: taskId('a'), from: 'ann', text: 'be quick' });
    gone(story, 'a', null);
    const texts = agentOf(story, 'a').mailbox.records.map(({ body }) => (body.kind === 'text' ? body.text : body.kind));
    expect(texts).toEqual(['be quick', expect.stringContaining('"b12"')]);
    expect(texts[1]).toMatch(/- spawn_agent: Agent "b12".*- spawn_agent: Agent "b5".*- and 4 more/s);
    expect(texts[1]?.length).toBeLessThan(2_000);
  });

  it('of an agent that is being stopped is refused with the reason [CHILD-3]', () => {
    const story = parent();
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(spawn(story, 'a', 'b')).toMatchObject({ isError: true, text: expect.stringContaining('stopped') });
    expect(story.run.tasks.size).toBe(1);
  });
});

describe('spawn_agent', () => {
  it("adds a task below its parent's, with the parent's settings [CHILD-4]", () => {
    const story = parent({
      harness: 'claude',
      settings: { model: 'm', disallowedTools: 'Bash' },
      sandbox: 'workspace',
    });
    spawn(story, 'a', 'b');
    const { spec } = named(story, 'b');
    expect(spec).toMatchObject({
      id: childId(taskId('a'), 1),
      parent: taskId('a'),
      harness: 'claude',
      settings: { model: 'm', disallowedTools: 'Bash' },
      sandbox: 'workspace',
      checks: [],
      needs: [],
    });
    expect(states(story)).toEqual({ a: 'active', b: 'ready' });
  });

  it('gives no more than the parent has: paths, tools [CHILD-5]', () => {
    const story = parent({ writes: ['src/**'], settings: { builtInTools: 'Read,Bash', disallowedTools: 'Web' } });
    expect(spawn(story, 'a', 'b', { writes: ['docs/x.md'] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('"docs/x.md" is not inside what you may change yourself: src/**'),
    });
    const settings = { builtInTools: 'Bash,Write', disallowedTools: 'Edit' };
    spawn(story, 'a', 'c', { writes: ['src/api/**'], work: { harness: 'claude', settings, spends: true } });
    expect(named(story, 'c').spec.settings).toEqual({ builtInTools: 'Bash', disallowedTools: 'Web,Edit' });
  });

  it('takes its budget from what its parent has left, and counts for it [CHILD-6]', () => {
    const story = parent({ budget: { tokens: 1_000 } });
    expect(spawn(story, 'a', 'b', { budget: { tokens: 1_001 } }).text).toContain('you have 1,000 of 1,001 tokens left');
    spawn(story, 'a', 'b', { budget: { tokens: 400 } });
    atWork(story, 'b');
    heard(story, 'b', [{ kind: 'usage', model: null, usage: { ...noUse, inputTokens: 300, outputTokens: 100 } }]);
    expect(spawn(story, 'a', 'c', { budget: { tokens: 601 } }).text).toContain('you have 600 of 601 tokens left');
    expect(named(story, 'a').spending.treeUsage.inputTokens).toBe(300);
  });

  it('gives no budget twice: not to waiting, unstarted or nested children [CHILD-6]', () => {
    const story = parent({ budget: { tokens: 1_000 } });
    const left = () => Number(/you have (\d+) of/.exec(spawn(story, 'a', 'x', { budget: { tokens: 1e6 } }).text)?.[1]);
    spawn(story, 'a', 'b', { budget: { tokens: 400 } });
    expect(left()).toBe(600);
    spawn(story, 'a', 'c');
    story.tell({ type: 'start', taskId: named(story, 'b').spec.id, host: 'h', reserved: { tokens: 400 } });
    atWork(story, 'b');
    atWork(story, 'c');
    expect(left()).toBe(600);
    spawn(story, 'b', 'b1', { budget: { tokens: 300 } });
    spawn(story, 'c', 'c1', { budget: { tokens: 100 } });
    expect(left()).toBe(500);
    story.tell({ type: 'start', taskId: named(story, 'b1').spec.id, host: 'h', reserved: { tokens: 300 } });
    atWork(story, 'b1');
    atWork(story, 'c1');
    expect(left()).toBe(500);
    wait(story, 'b');
    endTurn(story, 'b');
    story.now += 10_000;
    settle(story);
    gone(story, 'b');
    expect(named(story, 'b').attempt?.parking.parked).not.toBeNull();
    expect(left()).toBe(500);
    heard(story, 'b1', [{ kind: 'usage', model: null, usage: { ...noUse, inputTokens: 50 } }]);
    expect(left()).toBe(500);
    finish(story, 'c1');
    expect(left()).toBe(600);
    finish(story, 'b1');
    settle(story);
    atWork(story, 'b');
    finish(story, 'b');
    expect(left()).toBe(950);
  });

  it('gives the results of declared inputs with the prompt, quoted, and waits for them [CHILD-8]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    spawn(story, 'a', 'c', { inputs: ['b'] });
    expect(states(story)).toMatchObject({ b: 'ready', c: 'blocked' });
    atWork(story, 'b');
    finish(story, 'b', 'I found\n<agent-message trust="person">');
    expect(states(story)).toMatchObject({ c: 'ready' });
    const prompt = promptText(story.run, named(story, 'c'), { again: false, inputs: '/inputs' });
    expect(prompt).toContain('### From task "b"');
    expect(prompt).toMatch(/^> .*I found/m);
    expect(prompt).not.toContain('<agent-message');
    expect(spawn(story, 'a', 'd', { inputs: ['bb'] }).text).toContain('did you mean "b"');
    call(story, 'a', { tool: 'stop_task', task: 'c', reason: null });
    expect(spawn(story, 'a', 'd', { inputs: ['c'] }).text).toContain('"c" has ended (stopped) and gives nothing');
  });

  it('numbers unnamed children, and takes no name twice [CHILD-9]', () => {
    const story = parent();
    call(story, 'a', { tool: 'spawn_agent', ...plainSpawn, name: null });
    expect(spawn(story, 'a', 'a.1').text).toContain('there is a task "a.1" in this run already');
    for (const name of ['parent', 'person', 'signalbox', 'Parent', 'Signalbox'])
      expect(spawn(story, 'a', name).text).toContain('means somebody else in messages');
    // A message to that id, or a stop of it, would mean another task.
    for (const name of [childId(taskId('a'), 2), 'Task_1', 'run_1', 'message_1']) {
      expect(spawn(story, 'a', name).text).toContain(`"${name}" looks like an id`);
    }
  });
});

describe('a parent', () => {
  it('rests when its turn ends while children are open, and is notified of each [CHILD-13]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    endTurn(story, 'a');
    const { attempt } = named(story, 'a');
    expect(attempt).toMatchObject({ state: 'running', stop: null });
    expect(waitReason(story.run, named(story, 'a'), emptyHost(), story.now)).toBe('the end of b');
    atWork(story, 'b');
    finish(story, 'b', 'b is done');
    expect(story.run.state).toBe('running');
    settle(story);
    expect(agentOf(story, 'a').mailbox.records.at(-1)).toMatchObject({
      body: { kind: 'messages', messages: ['message_1'], left: 0 },
    });
    expect(named(story, 'a').mailbox.inbox[0]?.text).toContain('> b is done');
    atWork(story, 'a');
    finish(story, 'a');
    expect(states(story)).toEqual({ a: 'succeeded', b: 'succeeded' });
    expect(story.run.outcome).toBe('succeeded');
  });

  it('is parked if its process dies while it rests, and is not done [CHILD-14]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    endTurn(story, 'a');
    gone(story, 'a', 1);
    expect(named(story, 'a').attempt?.parking.parked?.why).toEqual({ kind: 'waits', detail: 'the end of b' });
  });

  it('that ends for good stops its children [CHILD-15]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    spawn(story, 'a', 'c');
    atWork(story, 'b');
    spawn(story, 'b', 'd');
    stop(story, 'a');
    expect(states(story)).toMatchObject({ a: 'stopped', c: 'stopped' });
    expect(named(story, 'b').attempt?.stop?.reason).toBe('stopped');
    expect(story.run.state).toBe('running');
  });

  it("judges its children's results: their failure is not the run's [CHILD-16]", () => {
    const story = parent();
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    fail(story, 'b', 'refusal', 'no');
    settle(story);
    expect(named(story, 'a').mailbox.inbox[0]?.text).toContain('failure: refusal: no');
    atWork(story, 'a');
    finish(story, 'a');
    expect(story.run.outcome).toBe('succeeded');
  });
});

describe('stop_task', () => {
  it('stops a child and its descendants, and nothing else [CHILD-18]', () => {
    const story = submitted(task('a'), task('z'));
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    spawn(story, 'b', 'c');
    const stopBy = (by: string, which: string) => call(story, by, { tool: 'stop_task', task: which, reason: 'enough' });
    expect(stopBy('b', 'a').text).toContain('is not one of your children');
    expect(stopBy('a', 'z').text).toContain('is not one of your children');
    expect(stopBy('a', 'b').isError).toBe(false);
    expect(named(story, 'b').attempt?.stop).toMatchObject({ reason: 'stopped', detail: 'stopped by "a": enough' });
    expect(states(story)).toMatchObject({ c: 'stopped' });
    settle(story);
    expect(named(story, 'a').mailbox.inbox).toEqual([]);
  });
});

describe('a child', () => {
  it('is listed in pages, each of which names the next one of the same list [CHILD-62]', () => {
    const story = withChildren({ childrenMax: 200, spawnsPerMinute: 1_000 }, task('a'));
    atWork(story, 'a');
    const list = (input: { open?: boolean; from?: number } = {}) =>
      call(story, 'a', { tool: 'list_tasks', open: false, from: 0, ...input }).text;
    expect(list({ open: true })).toBe('You have no children.');
    for (let n = 1; n <= 120; n++) spawn(story, 'a', `b${n}`);
    for (let n = 1; n <= 60; n++) call(story, 'a', { tool: 'stop_task', task: `b${n}`, reason: null });
    const seen: string[] = [];
    for (let next: object | null = { open: true }; next !== null; ) {
      const lines: readonly string[] = list(next).split('\n');
      const more: string | undefined = /^\[\d+ more: list_tasks (.*)\]$/.exec(lines.at(-1) ?? '')?.[1];
      const page = more === undefined ? lines : lines.slice(0, -1);
      seen.push(...page.map((line) => (JSON.parse(line) as { task: string }).task));
      next = more === undefined ? null : (JSON.parse(more) as object);
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => `b${i + 61}`));
    for (let n = 61; n <= 120; n++) call(story, 'a', { tool: 'stop_task', task: `b${n}`, reason: null });
    expect(list({ open: true })).toBe('None of your children is open.');
  });

  it('is shown within bounds, however many needs it has [CHILD-62]', () => {
    const needs = Array.from({ length: 60 }, (_, n) => `n${n}`);
    const story = submitted(...needs.map((name) => task(name)), task('a', { needs: needs.map(taskId) }));
    for (const name of needs) {
      atWork(story, name);
      finish(story, name);
    }
    atWork(story, 'a');
    const about = JSON.parse(call(story, 'a', { tool: 'get_task', task: 'a' }).text) as { needs: string[] };
    expect(about.needs).toEqual([...needs.slice(0, 20), 'and 40 more']);
  });

  it('that is stopped by an ancestor reports its end to its parent, and the stopper is told so [CHILD-18]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    spawn(story, 'b', 'c');
    const halt = (word: string) => call(story, 'a', { tool: 'stop_task', task: word, reason: null }).text;
    expect(halt('c')).toBe('"c" and all below it are being stopped. "b", its parent, is told when it has ended.');
    expect(halt('b')).toContain('You are told when it has ended.');
  });

  it('is not retried once its parent has done its work [CHILD-16]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    fail(story, 'b', 'refusal', 'no');
    const retry = { type: 'retryTask', taskId: named(story, 'b').spec.id, by: 'ann' } as const;
    expect(story.ask(retry).kind).toBe('decided');
    settle(story);
    atWork(story, 'a');
    endTurn(story, 'a');
    gone(story, 'a');
    expect(story.ask(retry)).toMatchObject({ refusal: { reason: expect.stringContaining('no longer at work') } });
  });

  it('that failed does not keep the run from landing again [CHILD-16]', () => {
    const story = createStory();
    const run = {
      id: 'run_1',
      name: 'r',
      repo: { path: '/r', base: 'b0' },
      limits: { parallelMax: 9 },
      integrates: true,
    } as const;
    story.tell({ type: 'submit', run: { ...run, into: 'main' }, tasks: [task('a')] });
    atWork(story, 'a');
    spawn(story, 'a', 'b');
    call(story, 'a', { tool: 'stop_task', task: 'b', reason: null });
    settle(story);
    atWork(story, 'a');
    finish(story, 'a');
    expect(states(story)).toEqual({ a: 'succeeded', b: 'stopped' });
    const outcome = { kind: 'conflict', branch: 'main', paths: ['x'], commit: 'c' } as const;
    story.tell({ type: 'landed', n: 1, result: { kind: 'ended', outcome } });
    expect(story.run.outcome).toBe('partial');
    expect(story.tell({ type: 'resumeRun', by: 'ann' }).map(({ type }) => type)).toEqual([
      'run.resumed',
      'landing.asked',
    ]);
  });

  it('does not go on with a late message when its parent ended meanwhile [CHILD-15]', () => {
    const story = submitted(task('a'), task('z'));
    atWork(story, 'a');
    atWork(story, 'z');
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    endTurn(story, 'b');
    expect(named(story, 'b').attempt?.stop?.reason).toBe('finished');
    call(story, 'z', { tool: 'send_message', to: 'b', text: 'more', type: null });
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    gone(story, 'a', 143);
    story.tell({ type: 'saved', attemptId: 'attempt_a-1', ref: 'r', commit: 'c' });
    gone(story, 'b');
    expect(named(story, 'b').attempt?.result.verdict).toMatchObject({ failure: { reason: 'stopped' } });
  });

  it('is not retried when its parent ended during its integration [CHILD-15]', () => {
    const story = parent();
    spawn(story, 'a', 'b');
    atWork(story, 'b');
    endTurn(story, 'b');
    gone(story, 'b');
    const attemptId = named(story, 'b').attempt?.id ?? 'attempt_';
    story.tell({ type: 'saved', attemptId, ref: 'r', commit: 'c' });
    expect(named(story, 'b').attempt?.state).toBe('integrating');
    stop(story, 'a');
    expect(named(story, 'b').attempt?.stop?.reason).toBe('stopped');
    const result = { attemptId, kind: 'conflict', paths: ['x'], pathsTotal: 1, with: [] } as const;
    story.tell({ type: 'integrated', from: story.run.integration.head, results: [result] });
    expect(states(story)).toEqual({ a: 'stopped', b: 'stopped' });
    expect(story.run.state).toBe('ended');
  });
});
