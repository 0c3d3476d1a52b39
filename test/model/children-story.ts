// What agents that coordinate agents add to a run's story: tool calls, messages that are read, turns that end.

import type { Launch } from '../../src/model/attempt/attempt-state.ts';
import type { Agent } from '../../src/model/core/agent.ts';
import type { Attempt } from '../../src/model/core/attempt.ts';
import type { ChildLimits } from '../../src/model/core/child-limits.ts';
import type { RunEventBody } from '../../src/model/core/events.ts';
import type { FailureReason } from '../../src/model/core/failure.ts';
import type { Task } from '../../src/model/core/run.ts';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import type { Call, CallRequest, SpawnRequest } from '../../src/model/tool-calls/call.ts';
import { must } from '../../src/std/assert.ts';
import { createStory, type Story } from './story.ts';

export function withChildren(children: Partial<ChildLimits>, ...tasks: TaskSpec[]): Story {
  const story = createStory();
  story.tell({
    type: 'submit',
    run: {
      id: 'run_1',
      name: 'a run',
      repo: { path: '/repo', base: 'b0' },
      limits: { parallelMax: 100, children },
      integrates: true,
    },
    tasks,
  });
  return story;
}

export function named(story: Story, name: string): Task {
  const id = must(story.run.graph.taskByName.get(name), `no task ${name}`);
  return must(story.run.tasks.get(id), `no task ${name}`);
}

export function attemptOf(story: Story, name: string): Attempt {
  return must(named(story, name).attempt, `an attempt of ${name}`);
}

/** Brings a task to a process that has read its records. */
export function atWork(story: Story, name: string): void {
  const { id } = named(story, name).spec;
  if (named(story, name).attempt === null) story.tell({ type: 'start', taskId: id, host: 'h' });
  const { attempt } = named(story, name);
  if (attempt?.parking.parked) story.tell({ type: 'goOn', attemptId: attempt.id, host: 'h' });
  if (attempt?.state === 'preparing') story.tell({ type: 'prepared', attemptId: attempt.id, path: '/w', base: 'b0' });
  if (attempt?.launches.current && attempt.state === 'launching') {
    story.tell({ type: 'launched', launchId: attempt.launches.current.id, process: null });
  }
  readInput(story, name);
}

/** All waiting records are written to its process, and it reads them. */
export function readInput(story: Story, name: string): void {
  const launch = named(story, name).attempt?.launches.current;
  const records = [...agentOf(story, name).mailbox.records];
  for (const { id, state } of records) {
    if (!launch || state !== 'queued') continue;
    story.tell({ type: 'written', launchId: launch.id, recordId: id, end: launch.written + 10 });
  }
  const told = records.filter(({ body }) => ['prompt', 'text', 'messages'].includes(body.kind));
  const facts = told.map(({ id }) => ({ kind: 'delivered', recordId: id }) as const);
  if (facts.length > 0) heard(story, name, facts);
}

export function agentOf(story: Story, name: string): Agent {
  return must(story.run.agents.get(attemptOf(story, name).agentId), `nobody works on ${name}`);
}

function launchOf(story: Story, name: string): Launch {
  return must(attemptOf(story, name).launches.current, `${name} has no process`);
}

type Facts = Extract<Parameters<Story['tell']>[0], { type: 'output' }>['facts'];

export function heard(story: Story, name: string, facts: Facts): readonly RunEventBody[] {
  const { id: launchId, offset: from } = launchOf(story, name);
  const session = { kind: 'session', session: `s-${name}` } as const;
  const all = facts[0]?.kind === 'call' ? facts : [session, ...facts];
  return story.tell({ type: 'output', launchId, from, to: from + 10, codec: '{}', replies: [], facts: all });
}

let calls = 0;

export interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly events: readonly RunEventBody[];
}

export function call(story: Story, name: string, request: CallRequest, more: Partial<Call> = {}): Called {
  calls += 1;
  const made = {
    callId: `toolu_${calls}`,
    requestId: `r${calls}`,
    rpcId: calls,
    excerpt: '{}',
    worked: false,
    ...more,
  };
  const events = heard(story, name, [{ kind: 'call', ...made, request }]);
  const answers = events.flatMap((event) =>
    event.type === 'record.queued' && event.body.kind === 'toolAnswer' ? [event.body] : [],
  );
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) throw new Error('a call is answered once');
  return { text: answer.text, isError: answer.isError, events };
}

export const plainSpawn: SpawnRequest = {
  name: null,
  prompt: 'Write the file notes.md with what you find in src.',
  role: null,
  before: '',
  work: null,
  writes: null,
  output: null,
  outputKind: null,
  inputs: [],
  budget: null,
  timeoutMs: null,
  team: null,
};

export function spawn(story: Story, parent: string, name: string, more: Partial<SpawnRequest> = {}): Called {
  return call(story, parent, { tool: 'spawn_agent', ...plainSpawn, name, ...more });
}

export function wait(
  story: Story,
  name: string,
  tasks: readonly string[] = [],
  mode: 'any' | 'all' = 'all',
  ms: number | null = null,
): Called {
  return call(story, name, { tool: 'wait', tasks, mode, timeoutMs: ms });
}

export function send(story: Story, from: string, to: string, text: string, more: Partial<Call> = {}): Called {
  return call(story, from, { tool: 'send_message', to, text, type: null }, more);
}

export function endTurn(story: Story, name: string, text = 'done'): void {
  heard(story, name, [{ kind: 'turnEnded', turn: { kind: 'ok', text, cut: false } }]);
}

/** Its process has ended as requested. */
export function gone(story: Story, name: string, status: number | null = 0): void {
  story.tell({ type: 'down', launchId: launchOf(story, name).id, status, turn: null });
}

/** Its turn ends well, and so does all that follows. */
export function finish(story: Story, name: string, text = 'done'): void {
  endTurn(story, name, text);
  end(story, name);
}

/** Its turn fails, and with it the attempt. */
export function fail(story: Story, name: string, reason: FailureReason, detail: string): void {
  heard(story, name, [{ kind: 'turnEnded', turn: { kind: 'failed', failure: { reason, detail } } }]);
  end(story, name);
}

/** A person stops its task, and its process ends. */
export function stop(story: Story, name: string): void {
  story.tell({ type: 'stopTask', taskId: named(story, name).spec.id, by: 'ann' });
  end(story, name);
}

/** The way of an attempt to its end whose agent has ended or is ending. */
export function end(story: Story, name: string): void {
  const { id } = attemptOf(story, name);
  while (story.run.live.has(id)) endStep(story, name);
}

/** The next thing on that way. */
export function endStep(story: Story, name: string): void {
  const { id, state, stop } = attemptOf(story, name);
  const {
    integration: { head },
  } = story.run;
  if (state === 'running' && stop !== null) gone(story, name);
  else if (state === 'saving') story.tell({ type: 'saved', attemptId: id, ref: 'refs/x', commit: `c-${name}` });
  else if (state === 'proving') {
    const inside = { check: 'write set', passed: true, detail: '' };
    story.tell({ type: 'proved', attemptId: id, items: [inside] });
  } else if (state === 'integrating') {
    const onto = { kind: 'integrated', commit: `${head}+${name}`, tree: `t-${name}`, items: [] } as const;
    story.tell({ type: 'integrated', from: head, results: [{ attemptId: id, ...onto }] });
  } else throw new Error(`${name} is ${state}`);
}
