// Whether a further attempt continues or begins from scratch, by the default rule, and its reasons.

import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../../src/model/core/failure.ts';
import type { RetryHow } from '../../src/model/core/retry-spec.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import type { AgentFact } from '../../src/model/session/agent-fact.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import { attempt, down, launch, launched, type Story, submitted, task, taskId } from './story.ts';

interface Past {
  readonly reason?: FailureReason;
  readonly tokens?: number;
  readonly changed?: number;
  readonly session?: boolean;
  readonly how?: RetryHow;
}

/** One attempt that failed so, and the start of the next. */
function after(
  { reason = 'max-output', tokens, changed = 1, session = true, how = 'auto' }: Past,
  more: Partial<TaskSpec> = {},
) {
  const retry = { attemptsMax: 3, conflictsMax: 1, delayMs: 0, delayMaxMs: 0, how };
  const story = submitted(task('a', { retry, ...more }));
  launched(story, 'a');
  const facts: AgentFact[] = [
    ...(session ? [{ kind: 'session', session: 's' } as const] : []),
    { kind: 'delivered', recordId: 'record_a-1-1' },
    ...(tokens === undefined ? [] : [{ kind: 'filled', tokens, window: 100 } as const]),
    { kind: 'turnEnded', turn: { kind: 'failed', failure: { reason, detail: 'it says' } } },
  ];
  story.tell({ type: 'output', launchId: launch('a'), from: 0, to: 5, codec: '{}', facts, replies: [] });
  down(story, 'a', 1);
  const paths = Array.from({ length: changed }, (_, i) => `f${i}.ts`);
  const work = { ref: 'refs/x', commit: 'c-a-1', changed: { paths, total: changed } };
  story.tell({ type: 'saved', attemptId: attempt('a'), ...work });
  story.tell({ type: 'tick' });
  const events = story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
  const [started] = events;
  if (started?.type !== 'attempt.started') throw new Error('it did not start');
  return { story, started, types: events.map(({ type }) => type) };
}

const memory = (story: Story) => story.run.agents.get('agent_a-1')?.memory;

describe('a further attempt under the rule', () => {
  it('continues on the same files with a short session [HAND-9]', () => {
    const { story, started } = after({ tokens: 30 });
    expect(started).toMatchObject({
      continues: attempt('a'),
      why: 'it works on the same files, and its conversation is short (30 % of its context)',
    });
    expect(story.run.live.get(attempt('a', 2))).toMatchObject({ agentId: 'agent_a-1', origin: { why: started.why } });
  });

  it('says so if the length of its session is unknown [HAND-9]', () => {
    const { started } = after({});
    expect(started.continues).toBe(attempt('a'));
    expect(started.why).toContain('how full its context is was not told');
  });

  it('starts fresh if it is a judge [HAND-9]', () => {
    const verdict = after({ tokens: 10 }, { outputKind: 'verdict' });
    expect(verdict.started).toMatchObject({ why: 'it gives a verdict, so it starts from scratch' });
    expect(verdict.started.continues).toBeUndefined();
    const { started } = after({ tokens: 10 }, { keeps: false });
    expect(started).toMatchObject({ why: 'it keeps nothing, so it starts from scratch' });
  });

  it('starts fresh after much reading without changes [HAND-9]', () => {
    const { started } = after({ tokens: 50, changed: 0 });
    expect(started.continues).toBeUndefined();
    expect(started.why).toBe('it has read much (50 % of its context) and changed nothing');
  });

  it.each([
    { past: { reason: 'context-overflow' }, why: 'its context was full' },
    { past: { tokens: 60 }, why: 'its conversation is long (60 % of its context)' },
  ] as const)('begins a new session on the same work when $why [HAND-9]', ({ past, why }) => {
    const { story, started, types } = after(past);
    expect(started).toMatchObject({ continues: attempt('a'), why });
    expect(types).toEqual(['attempt.started', 'handoff.given', 'session.renewed', 'record.queued']);
    expect(story.run.live.get(attempt('a', 2))).toMatchObject({ origin: { from: 'c-a-1' }, launches: { renewals: 0 } });
    expect(memory(story)).toMatchObject({ sessionsBefore: 1, handedOver: false });
    const found = story.run.tasks.get(taskId('a'));
    const text = found === undefined ? '' : promptText(story.run, found, { again: false, inputs: '/i' });
    expect(text).toContain('### Changed\n\n- f0.ts');
    expect(text).toContain('Its work is here.');
    story.tell({ type: 'prepared', attemptId: attempt('a', 2), path: '/w2', base: 'c-a-1' });
    expect(story.run.live.get(attempt('a', 2))?.launches.current?.resume).toBe(false);
  });

  it('starts a new session on the same work if its session is gone, and is told so [HAND-9] [HAND-2]', () => {
    const { story, started, types } = after({ session: false });
    expect(started).toMatchObject({ continues: attempt('a'), why: 'its conversation is gone' });
    expect(types).toEqual(['attempt.started', 'record.queued']);
    const [told] = story.run.agents.get('agent_a-1')?.mailbox.records ?? [];
    expect(told?.body).toEqual({ kind: 'prompt', again: true });
  });

  it('starts fresh if its context was full without changes [HAND-9]', () => {
    const { started } = after({ reason: 'context-overflow', changed: 0 });
    expect(started.continues).toBeUndefined();
  });
});

describe('a further attempt that a person ordered', () => {
  it('follows the order, whatever the rule says [HAND-19]', () => {
    expect(after({ how: 'fresh', tokens: 10 }).started.continues).toBeUndefined();
    expect(after({ how: 'continue', tokens: 90 }).started).toMatchObject({
      continues: attempt('a'),
      why: 'its plan says so',
    });
    expect(after({ how: 'continue', reason: 'context-overflow' }).started.continues).toBeUndefined();
  });
});
