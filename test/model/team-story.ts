// What teams of agents add to a run's story: calls of tools, turns of agents by the name of their task, processes
// that are given up and taken up again.

import type { Attempt } from '../../src/model/attempt.ts';
import type { CallRequest, SpawnRequest } from '../../src/model/call.ts';
import { launchId } from '../../src/model/ids.ts';
import { isMail } from '../../src/model/mail.ts';
import type { Task } from '../../src/model/run.ts';
import { must } from '../../src/std/assert.ts';
import { settle } from './plan-story.ts';
import type { Story } from './story.ts';

export function taskNamed({ run }: Story, name: string): Task {
  return must(run.tasks.get(must(run.taskByName.get(name), `a task ${name}`)), name);
}

export function attemptOf(story: Story, name: string): Attempt {
  return must(taskNamed(story, name).attempt, `an attempt of ${name}`);
}

export interface Reply {
  readonly text: string;
  readonly isError: boolean;
}

let calls = 0;

/** Its agent calls a tool and is answered. */
export function call(story: Story, name: string, request: CallRequest, callId = `call-${(calls += 1)}`): Reply {
  const { launch } = attemptOf(story, name);
  const { id, offset } = must(launch, `${name} has a process`);
  const asked = { callId, requestId: `r-${callId}`, rpcId: 1, excerpt: '', worked: false, request };
  const events = story.tell({
    type: 'output',
    launchId: id,
    from: offset,
    to: offset + 1,
    codec: '{}',
    replies: [],
    facts: [{ kind: 'call', ...asked }],
  });
  const told = events.findLast((event) => event.type === 'message.queued');
  if (told?.type !== 'message.queued' || told.body.kind !== 'toolAnswer') throw new Error('a call is answered');
  return { text: told.body.text, isError: told.body.isError };
}

export function spawn(story: Story, by: string, name: string, more: Partial<SpawnRequest> = {}): Reply {
  return call(story, by, {
    tool: 'spawn_agent',
    name,
    prompt: `do the work of ${name}`,
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
    ...more,
  });
}

/** The task gets its first process. */
export function begin(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    story.tell({ type: 'start', taskId: taskNamed(story, name).spec.id, host: 'h' });
    story.tell({ type: 'prepared', attemptId: attemptOf(story, name).id, path: '/w', base: 'b0' });
    launchedAgain(story, name);
  }
}

export function launchedAgain(story: Story, name: string): void {
  const { id, launches } = attemptOf(story, name);
  story.tell({ type: 'launched', launchId: launchId(id, launches), process: null });
}

/** It takes up what it was told and is in a turn; gives what that was in letters. */
export function takeUp(story: Story, name: string): readonly string[] {
  settle(story);
  const attempt = attemptOf(story, name);
  if (attempt.parked !== null) {
    story.tell({ type: 'goOn', attemptId: attempt.id, host: 'h' });
    launchedAgain(story, name);
  }
  const mail = must(story.run.agents.get(attempt.agentId), 'an agent').mail.filter(isMail);
  const letters = mail.flatMap(({ body }) => (body.kind === 'mail' ? body.letters : []));
  const { inbox } = taskNamed(story, name);
  const texts = letters.map((id) => inbox.find((letter) => letter.id === id)?.text ?? '');
  heard(
    story,
    name,
    mail.map(({ id }) => ({ kind: 'delivered', messageId: id }) as const),
  );
  return texts;
}

/** Its turn ends well, and what follows from that has happened. */
export function endTurn(story: Story, name: string): void {
  heard(story, name, [{ kind: 'turnEnded', turn: { kind: 'ok', text: `${name} is done`, cut: false } }]);
  settle(story);
}

/** A whole turn. */
export function turn(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    takeUp(story, name);
    endTurn(story, name);
  }
}

type Facts = Parameters<Story['tell']>[0] & { type: 'output' };

function heard(story: Story, name: string, facts: Facts['facts']): void {
  const { id, offset } = must(attemptOf(story, name).launch, `${name} has a process`);
  const session = { kind: 'session', session: `s-${name}` } as const;
  story.tell({
    type: 'output',
    launchId: id,
    from: offset,
    to: offset + 1,
    codec: '{}',
    replies: [],
    facts: [session, ...facts],
  });
}

/** Time passes until nobody who rests has a process. */
export function giveUpProcesses(story: Story): void {
  story.now += 10_000;
  settle(story);
  for (const { stop, launch } of story.run.live.values()) {
    if (stop?.reason === 'parked' && launch !== null)
      story.tell({ type: 'down', launchId: launch.id, status: 0, turn: null });
  }
  settle(story);
}

/** The process of one that has no more to do ends, and its work is saved, proved and lands. */
export function finish(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    const attempt = attemptOf(story, name);
    while (story.run.live.has(attempt.id)) finishStep(story, name);
    settle(story);
  }
}

/** The next thing on the way of an attempt whose agent has ended or is ending. */
export function finishStep(story: Story, name: string): void {
  const { id, state, launch } = attemptOf(story, name);
  const { head } = story.run;
  if (state === 'running') story.tell({ type: 'down', launchId: must(launch, name).id, status: 0, turn: null });
  else if (state === 'saving') story.tell({ type: 'saved', attemptId: id, ref: 'refs/x', commit: `c-${name}` });
  else if (state === 'proving') {
    const inside = { check: 'write set', passed: true, detail: '' };
    story.tell({ type: 'proved', attemptId: id, items: [inside] });
  } else if (state === 'landing') {
    const onto = { kind: 'landed', commit: `${head}+${name}`, tree: `t-${name}`, items: [] } as const;
    story.tell({ type: 'landed', from: head, results: [{ attemptId: id, ...onto }] });
  } else throw new Error(`${name} is ${state}`);
}

/** The letters that lie in the mailbox of a task. */
export function inboxOf(story: Story, name: string): readonly string[] {
  return taskNamed(story, name).inbox.map(({ text }) => text);
}
