// The result of a tool call: the answer to the agent and the events that it causes.

import type { Agent } from '../core/agent.ts';
import type { Attempt } from '../core/attempt.ts';
import { type ChildLimit, childLimitsOf, limitOption } from '../core/child-limits.ts';
import type { RunEventBody } from '../core/events.ts';
import type { Run, Task } from '../core/run.ts';
import type { Call } from './call.ts';

/** The calling agent, the time, and the run. */
export interface CallScene {
  readonly run: Run;
  readonly task: Task;
  readonly attempt: Attempt;
  readonly agent: Agent;
  readonly call: Call;
  readonly now: number;
}

export interface Answered {
  readonly text: string;
  readonly isError: boolean;
  readonly events: readonly RunEventBody[];
}

export function answer(text: string, ...events: RunEventBody[]): Answered {
  return { text, isError: false, events };
}

export function refuse(reason: string): Answered {
  return { text: `refused: ${reason}`, isError: true, events: [] };
}

/** A limit of the run is reached: the agent is told each time, a person once. */
export function refuseBy(scene: CallScene, limit: ChildLimit, reason: string): Answered {
  const { run, task } = scene;
  const max = childLimitsOf(run)[limit];
  const detail = `${reason} (limit ${limitOption(limit)}: ${max})`;
  const told = run.children.limitsNotified.some((each) => each.limit === limit);
  const reached: RunEventBody = { type: 'limit.reached', limit, max, taskId: task.spec.id, detail };
  return { text: `refused: ${detail}`, isError: true, events: told ? [] : [reached] };
}
