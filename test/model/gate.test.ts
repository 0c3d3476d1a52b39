// Stories about questions of agents to people, and about trying a task again.

import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../src/model/asks/find-asks.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import type { AgentFact } from '../../src/model/session/agent-fact.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { waitReason } from '../wait-reason.ts';
import {
  attempt,
  down,
  fail,
  launch,
  launched,
  outcomeOf,
  type Story,
  submitted,
  succeed,
  task,
  taskId,
} from './story.ts';

const gate = 'ask_a-1-1' as const;
const ask: AgentFact = { kind: 'permissionRequest', requestId: 'r1', tool: 'Bash', input: { command: 'make' } };
const decision = { type: 'answerAsk', askId: gate, by: 'ann', message: null, remember: null } as const;

function said(story: Story, ...facts: AgentFact[]): void {
  const from = story.run.live.get(attempt('a'))?.launches.current?.offset ?? 0;
  story.tell({ type: 'output', launchId: launch('a'), from, to: from + 10, codec: '{}', facts, replies: [] });
}

function asking(): Story {
  const story = submitted(task('a'));
  launched(story, 'a');
  said(story, ask);
  return story;
}

const gates = (story: Story) => requestsOf(story.run, { id: attempt('a') });
const refusal = (story: Story, approved = true, by = 'ann') => {
  const answer = story.ask({ ...decision, approved, by });
  return answer.kind === 'refused' ? `${answer.refusal.kind}: ${answer.refusal.reason}` : 'decided';
};

describe('a question', () => {
  it('is a visible wait with its reason, and survives a snapshot [GATE-1]', () => {
    const story = asking();
    const [a] = [...story.run.tasks.values()];
    expect(a && waitReason(story.run, a, emptyHost(), 0)).toMatch(
      /^a person: may it use Bash\? \(ask_a-1-1\), since \d/,
    );
    expect(writeRun(readRun(writeRun(story.run)))).toBe(writeRun(story.run));
  });

  it('is decided once, with the person in the journal, and the answer goes to the agent that asked [GATE-2]', () => {
    const story = asking();
    const events = story.tell({ ...decision, approved: true });
    expect(events.map(({ type }) => type)).toEqual(['ask.answered', 'record.queued']);
    expect(events[1]).toMatchObject({ agentId: 'agent_a-1', body: { kind: 'answer', askId: gate } });
    expect(refusal(story, true)).toMatch(/^stale/);
    expect(refusal(story, false)).toMatch(/^notAllowed: ann has approved it already, at /);
    expect(refusal(story, true, 'bob')).toMatch(/^notAllowed: ann has approved it already, at /);
    expect(story.pending().effects.map(({ kind }) => kind)).toContain('write');
  });

  it('is closed when the agent withdraws it or its process is gone [GATE-3]', () => {
    const withdrawn = asking();
    said(withdrawn, { kind: 'withdrawn', requestId: 'r1' });
    expect(gates(withdrawn)[0]?.state).toBe('expired');
    expect(refusal(withdrawn)).toMatch(/no longer waits/);
    const gone = asking();
    down(gone, 'a', null);
    expect(gone.events.filter(({ type }) => type === 'ask.expired')).toHaveLength(1);
  });

  it('has an unwritten answer dropped with the process that asked', () => {
    const story = asking();
    said(story, { kind: 'session', session: 's' });
    story.tell({ ...decision, approved: true });
    down(story, 'a', null);
    expect(story.run.agents.get('agent_a-1')?.mailbox.records.map(({ body }) => body.kind)).not.toContain('answer');
  });

  it('of an agent that is being stopped is not answered', () => {
    const story = asking();
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(refusal(story)).toMatch(/being stopped/);
  });

  it('that was never asked cannot be decided', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    expect(refusal(story)).toMatch(/^unknown: nobody waits/);
  });

  it('is stored only as long as it is needed', () => {
    const story = asking();
    story.tell({ ...decision, approved: true });
    const recordId = story.run.agents.get('agent_a-1')?.mailbox.records.at(-1)?.id ?? 'record_';
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 5 });
    story.tell({ type: 'written', launchId: launch('a'), recordId, end: 9 });
    expect(gates(story)[0]).toMatchObject({ state: 'approved', request: { tool: 'Bash', input: null } });
  });
});

describe('a task that did not succeed', () => {
  const chain = () => submitted(task('a'), task('b', { needs: [taskId('a')] }), task('c', { needs: [taskId('b')] }));
  const retry = (name: string) => ({ type: 'retryTask', taskId: taskId(name), by: 'ann' }) as const;

  it('is retried with all tasks that were skipped because of it [RUN-7]', () => {
    const story = chain();
    fail(story, 'a');
    expect(story.run.state).toBe('ended');
    story.tell(retry('a'));
    expect([...story.run.tasks.values()].map(({ state }) => state)).toEqual(['ready', 'blocked', 'blocked']);
    succeed(story, 'a', 2);
    succeed(story, 'b');
    succeed(story, 'c');
    expect(story.run.outcome).toBe('succeeded');
  });

  it('leaves out tasks that also need another failed one, so nothing waits for ever [RUN-10]', () => {
    const story = submitted(task('a'), task('x'), task('b', { needs: [taskId('a'), taskId('x')] }));
    fail(story, 'a');
    fail(story, 'x');
    story.tell(retry('a'));
    expect(outcomeOf(story, 'b')?.kind).toBe('skipped');
    succeed(story, 'a', 2);
    expect(story.run.state).toBe('ended');
  });

  it.each([
    ['b', /needs "a", which did not succeed: retry that one/],
    ['z', /no task/],
  ])('is refused with the reason: %s', (name, reason) => {
    const story = chain();
    fail(story, 'a');
    const answer = story.ask(retry(name));
    expect(answer.kind === 'refused' && answer.refusal.reason).toMatch(reason);
  });

  it('is not retried if it has succeeded or has not ended', () => {
    const story = submitted(task('a'), task('b'));
    const reasonOf = (name: string) => {
      const answer = story.ask(retry(name));
      return answer.kind === 'refused' ? answer.refusal.reason : 'decided';
    };
    succeed(story, 'a');
    expect(reasonOf('a')).toMatch(/has succeeded/);
    expect(reasonOf('b')).toMatch(/has not ended/);
  });
});
