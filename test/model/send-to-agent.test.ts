// Stories about agents that are spoken to when their task has ended, or is just being stopped.

import { describe, expect, it } from 'vitest';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { evolve } from '../../src/model/evolve.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import {
  attempt,
  down,
  fail,
  integrated,
  launch,
  launched,
  outcomeOf,
  type Story,
  saved,
  submitted,
  succeed,
  task,
  taskId,
  turned,
} from './story.ts';

const say = (story: Story, text = 'once more', name = 'a', id = 'x') =>
  story.ask({ type: 'send', recordId: `record_${id}`, taskId: taskId(name), from: 'ann', text });

function told(story: Story, text?: string, name?: string, id?: string) {
  return story.tell({
    type: 'send',
    recordId: `record_${id ?? 'x'}`,
    taskId: taskId(name ?? 'a'),
    from: 'ann',
    text: text ?? 'once more',
  });
}

const why = (story: Story, name?: string) => {
  const decision = say(story, undefined, name);
  return decision.kind === 'refused' ? decision.refusal.reason : '';
};

/** At work, with a session, and stopped by a person. */
function stopped(more: Partial<TaskSpec> = {}): Story {
  const story = submitted(task('a', more), task('b', { needs: [taskId('a')] }), task('other'));
  launched(story, 'a');
  const session = { kind: 'session', session: 's' } as const;
  const delivered = { kind: 'delivered', recordId: 'record_a-1-1' } as const;
  const facts = [session, delivered];
  story.tell({ type: 'output', launchId: launch('a'), from: 0, to: 5, codec: '{}', facts, replies: [] });
  story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
  return story;
}

function ended(story: Story): Story {
  down(story, 'a', 0);
  saved(story, 'a');
  return story;
}

const records = (story: Story) => story.run.agents.get('agent_a-1')?.mailbox.records ?? [];
const live = (story: Story, n = 2) => story.run.live.get(attempt('a', n));
const start = (story: Story) => story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });

describe('a task that was stopped', () => {
  it("resumes with exactly the person's message, its agent and its work [HAND-1]", () => {
    const story = ended(stopped());
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'stopped' });
    const types = told(story).map(({ type }) => type);
    expect(types).toEqual(['session.steered', 'task.reopened']);
    const started = start(story);
    expect(started[0]).toMatchObject({
      continues: attempt('a'),
      agentId: 'agent_a-1',
      why: 'ann said something to its agent',
    });
    expect(live(story)).toMatchObject({ origin: { from: 'c-a-1', base: 'b0', formerPath: '/w' } });
    expect(records(story)).toMatchObject([{ id: 'record_x', from: 'ann', body: { kind: 'text', text: 'once more' } }]);
    expect(story.run.tasks.get(taskId('a'))?.session.steered).toEqual([]);
    // A task that was skipped because of it stays so until a person wants it.
    expect(outcomeOf(story, 'b')).toMatchObject({ kind: 'skipped' });
  });

  it('gets all messages in order that came before it runs again [HAND-1]', () => {
    const story = ended(stopped());
    told(story, 'one', 'a', '1');
    told(story, 'two', 'a', '2');
    expect(say(story, 'one', 'a', '1')).toMatchObject({ kind: 'refused', refusal: { kind: 'stale' } });
    start(story);
    expect(records(story).map(({ body }) => body.kind === 'text' && body.text)).toEqual(['one', 'two']);
  });

  it('goes on after its process has ended, if a message came while it was ending [HAND-1]', () => {
    const story = stopped();
    expect(told(story).map(({ type }) => type)).toEqual(['session.steered']);
    ended(story);
    expect(story.run.tasks.get(taskId('a'))).toMatchObject({ state: 'delayed', outcome: null });
    expect(outcomeOf(story, 'b')).toBeNull();
    story.tell({ type: 'tick' });
    start(story);
    expect(records(story)).toMatchObject([{ id: 'record_x' }]);
  });

  it('opens its run again [HAND-10]', () => {
    const story = ended(stopped());
    succeed(story, 'other');
    expect(story.run.state).toBe('ended');
    expect(told(story).map(({ type }) => type)).toEqual(['run.resumed', 'session.steered', 'task.reopened']);
    expect(story.run).toMatchObject({ state: 'running', graph: { openTasks: 1 } });
  });

  it('starts with its prompt if its session is gone, then gets the message [HAND-1, HAND-13] [HAND-2]', () => {
    const story = ended(stopped());
    told(story);
    start(story);
    story.tell({ type: 'prepared', attemptId: attempt('a', 2), path: '/w2', base: 'c-a-1' });
    expect(live(story)?.launches.current?.resume).toBe(true);
    story.tell({ type: 'found', launchId: launch('a', 2), recordIds: [], missing: true });
    expect(records(story)).toMatchObject([{ body: { kind: 'prompt', again: true } }, { id: 'record_x' }]);
    const prompt = promptText(story.run, story.run.tasks.get(taskId('a'))!, { again: true, inputs: '/i' });
    expect(prompt).toContain('that conversation was lost');
  });

  it('passes the message on to the next agent of the task, once [HAND-13]', () => {
    const story = ended(stopped({ retry: { attemptsMax: 3, conflictsMax: 0, delayMs: 0, delayMaxMs: 0 } }));
    told(story, 'mind the gap');
    start(story);
    const prompt = () => promptText(story.run, story.run.tasks.get(taskId('a'))!, { again: false, inputs: '/i' });
    // It is about to read it.
    expect(prompt()).not.toContain('mind the gap');
    story.tell({ type: 'prepared', attemptId: attempt('a', 2), path: '/w2', base: 'c-a-1' });
    story.tell({ type: 'launched', launchId: launch('a', 2), process: null });
    down(story, 'a', 1, 2);
    saved(story, 'a', 2);
    story.tell({ type: 'tick' });
    start(story);
    expect(live(story, 3)?.agentId).toBe('agent_a-3');
    expect(prompt()).toContain('- ann: mind the gap');
  });

  it('is not asked about any more when it is stopped again before it began [HAND-1]', () => {
    const story = ended(stopped());
    told(story);
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(story.run.tasks.get(taskId('a'))).toMatchObject({ state: 'ended', session: { steered: [] } });
  });
});

describe('a task that ended otherwise', () => {
  it('resumes after a failure, with attempts as at first [HAND-1]', () => {
    const story = submitted(task('a'), task('other'));
    fail(story, 'a');
    told(story);
    start(story);
    expect(live(story)).toMatchObject({ agentId: 'agent_a-1', origin: { from: 'c-a-1' } });
    expect(story.run.tasks.get(taskId('a'))?.tries.attemptsForgiven).toBe(1);
  });

  it('goes on from the head of the branch if its work is integrated [HAND-11]', () => {
    const story = submitted(task('a'), task('other'));
    succeed(story, 'a');
    succeed(story, 'other');
    const {
      integration: { head },
    } = story.run;
    told(story);
    const [started] = start(story);
    expect(started).toMatchObject({ continues: attempt('a'), onHead: true });
    expect(live(story)).toMatchObject({ origin: { from: head, since: 2, formerPath: '/w' } });
    story.tell({ type: 'prepared', attemptId: attempt('a', 2), path: '/w2', base: head });
    story.tell({ type: 'launched', launchId: launch('a', 2), process: null });
    turned(story, 'a', true, 2);
    story.tell({
      type: 'output',
      launchId: launch('a', 2),
      from: 100,
      to: 200,
      codec: '{}',
      facts: [
        { kind: 'delivered', recordId: 'record_x' },
        { kind: 'turnEnded', turn: { kind: 'ok', text: 'done', cut: false } },
      ],
      replies: [],
    });
    down(story, 'a', 0, 2);
    saved(story, 'a', 2);
    integrated(story, 'a', 2);
    expect(story.run.outcome).toBe('succeeded');
  });

  it('is refused while another task works on the basis of how it ended [HAND-12]', () => {
    const story = submitted(task('a'), task('b', { needs: [taskId('a')] }));
    succeed(story, 'a');
    expect(why(story)).toMatch(/is what task "b" goes on with/);
    succeed(story, 'b');
    expect(why(story)).toBe('');
  });

  it('is refused if a dependant would not wait for it [HAND-12]', () => {
    const between = task('m', { needs: [taskId('a')] });
    const story = submitted(task('a'), between, task('slow'), task('b', { needs: [taskId('m'), taskId('slow')] }));
    succeed(story, 'a');
    succeed(story, 'm');
    expect(story.run.tasks.get(taskId('b'))?.state).toBe('blocked');
    expect(why(story)).toMatch(/is what task "b" goes on with/);
  });

  it('is counted again by its phase, and what follows waits [HAND-1, RUN-9] [GRAPH-4]', () => {
    const milestone = task('m', { kind: 'milestone', needs: [taskId('a')] });
    const story = submitted(task('a'), milestone, task('b', { needs: [taskId('m')] }));
    succeed(story, 'a');
    story.tell({ type: 'tick' });
    fail(story, 'b');
    told(story);
    expect(outcomeOf(story, 'm')).toBeNull();
    const retry = story.ask({ type: 'retryTask', taskId: taskId('b'), by: 'ann' });
    expect(retry).toMatchObject({ refusal: { reason: expect.stringContaining('needs "m"') } });
  });

  it('leaves a phase ended that also needs another task which did not succeed [HAND-1, HAND-10] [GRAPH-4]', () => {
    const milestone = task('m', { kind: 'milestone', needs: [taskId('a'), taskId('c')] });
    const story = submitted(task('a'), task('c'), milestone);
    fail(story, 'c');
    succeed(story, 'a');
    expect(outcomeOf(story, 'm')).toMatchObject({ kind: 'skipped' });
    told(story);
    expect(outcomeOf(story, 'a')).toBeNull();
    expect(outcomeOf(story, 'm')).toMatchObject({ kind: 'skipped' });
  });

  it('is refused without an agent to talk to [HAND-1, HAND-12] [RUN-6]', () => {
    const story = submitted(task('a'), task('never', { needs: [taskId('a')] }));
    launched(story, 'a');
    down(story, 'a', 1);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed' });
    expect(why(story)).toBe('task "a" has no conversation to go on with: retry it');
    expect(why(story, 'never')).toMatch(/no agent at work/);
  });

  it('is refused if its parent has ended [HAND-12]', () => {
    const story = submitted(task('a'), task('other'));
    launched(story, 'a');
    evolve(story.run, { type: 'task.added', at: 0, task: task('child', { parent: taskId('a') }) });
    succeed(story, 'child');
    expect(why(story, 'child')).toBe('');
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(why(story, 'child')).toMatch(/is a child of "a", which is no longer at work/);
    down(story, 'a', 0);
    saved(story, 'a');
    expect(why(story, 'child')).toMatch(/is a child of "a"/);
  });

  it('is refused while its run is being stopped [HAND-12]', () => {
    const story = submitted(task('a'), task('other'));
    succeed(story, 'a');
    launched(story, 'other');
    story.tell({ type: 'stopRun', by: 'ann' });
    expect(why(story)).toBe('the run is being stopped');
  });
});
