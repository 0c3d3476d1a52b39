// What the scenarios about agents that coordinate agents share: steps that call our tools, runs whose agents may do so, and what
// was written to an agent.

import { expect } from 'vitest';
import type { ChildLimits } from '../../../src/model/core/child-limits.ts';
import type { RunEvent } from '../../../src/model/core/events.ts';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { launchFile, type Record } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask } from '../spending/limits-world.ts';

export type Step = Readonly<{ [verb: string]: unknown }>;

/** A step that calls one of our tools. */
export function call(tool: string, input: object = {}): Step {
  return { call: { tool: `mcp__signalbox__${tool}`, input } };
}

/** A step that asks for an agent with these steps. */
export function spawn(name: string, steps: readonly Step[], more: object = {}): Step {
  const prompt = `Do what your script says, as ${name}.`;
  return call('spawn_agent', { name, prompt, harness: 'scripted', script: steps, ...more });
}

export interface Children {
  readonly limits?: Partial<ChildLimits>;
  readonly parallelMax?: number;
  /** What all its tasks have in common. */
  readonly all?: Partial<CreateRunInput['tasks'][number]>;
}

/** A run with an agent for each script, by name. */
export async function submitChildren(
  world: World,
  scripts: Readonly<{ [name: string]: readonly Step[] }>,
  { limits = {}, parallelMax = 1_000, all = {} }: Children = {},
): Promise<RunView> {
  const body: CreateRunInput = {
    id: clientIds.run(),
    name: 'children',
    repo: { path: world.repo },
    integrates: false,
    parallelMax,
    children: limits,
    tasks: Object.entries(scripts).map(([name, steps]) => ({
      ...all,
      name,
      prompt: `Do what your script says, as ${name}.`,
      settings: { script: JSON.stringify(steps) },
    })),
  };
  const answer = await ask(world, 'POST', '/runs', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as RunView;
}

/** All that was said to the agents of a task, in order: what was written into the input of their processes. */
export function toldTo(world: World, record: Record, taskName: string): string[] {
  return launchesOf(record, taskName).flatMap((launchId) =>
    launchFile(world, launchId, 'in')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string; message?: { content?: unknown } })
      .flatMap(({ type, message }) =>
        type === 'user' && typeof message?.content === 'string' ? [message.content] : [],
      ),
  );
}

export function launchesOf(record: Record, taskName: string): string[] {
  const attempts = record.of('attempt.started').filter(({ taskId }) => taskId === idOf(record, taskName));
  const ids = attempts.map(({ attemptId }) => attemptId as string);
  return record.of('launch.intended').flatMap(({ launchId, attemptId }) => (ids.includes(attemptId) ? [launchId] : []));
}

export function idOf(record: Record, taskName: string): string {
  const added = record.of('task.added').find(({ task }) => task.name === taskName);
  if (added === undefined) throw new Error(`there is no task ${taskName}`);
  return added.task.id;
}

type Answered = Extract<RunEvent, { type: 'call.answered' }>;

/** What the agents of a task were answered by one of our tools. */
export function answersTo(record: Record, taskName: string, tool: string): Answered[] {
  const agents = record.of('agent.created').filter(({ taskId }) => taskId === idOf(record, taskName));
  const ids = agents.map(({ agentId }) => agentId as string);
  return record.of('call.answered').filter((event) => event.tool === tool && ids.includes(event.agentId));
}

/** The tasks whose end a text reports, by name. */
export function notified(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/<task-notification task="([^"]+)"/g)].map(([, name]) => name ?? ''),
  );
}
