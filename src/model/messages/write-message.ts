// What an agent writes, as a letter with its envelope, and how much of that it may write, to whomever.

import { type Answered, type CallScene, refuse, refuseBy } from '../tool-calls/call-answer.ts';
import type { CallRequest } from '../tool-calls/call.ts';
import { crewOf } from '../children/child-limits.ts';
import { namesAbove } from '../tasks/ancestors.ts';
import { letterId, type TaskId } from '../ids.ts';
import type { Run, Task } from '../run.ts';
import { inLastMinute } from '../timing.ts';
import { type Letter, letterMax, letterSize } from './message.ts';

type Send = Extract<CallRequest, { tool: 'send_message' }>;

export function letterOf(
  { run, task, agent, call, now }: CallScene,
  to: TaskId,
  { text, type, data }: Send,
  n: number,
): Letter {
  return {
    id: letterId(n),
    from: agent.id,
    fromName: task.spec.name,
    to,
    kind: 'message',
    trust: 'agent',
    ...(type === null ? {} : { type }),
    text,
    ...(data === undefined ? {} : { data }),
    chain: namesAbove(run, task),
    hops: (call.worked ? 0 : agent.hops) + 1,
    ...(call.worked || agent.trail.length === 0 ? {} : { trail: agent.trail }),
    at: now,
  };
}

/** Why a letter to whoever works on it would reach nobody; null = it would reach somebody. */
export function nobodyIn({ spec, state, outcome }: Task): string | null {
  if (spec.kind !== 'work') return `is a ${spec.kind}: nobody works on it`;
  return state === 'settled' ? `has ended (${outcome?.kind ?? 'ended'}): nobody would read it` : null;
}

/** The names of all who would read a letter. */
export function readersIn({ tasks }: Run): string[] {
  return [...tasks.values()].flatMap((task) => (nobodyIn(task) === null ? [task.spec.name] : []));
}

export function overSize(letters: readonly Letter[]): Answered | null {
  const size = letters[0] === undefined ? 0 : letterSize(letters[0]);
  if (size <= letterMax) return null;
  return refuse(
    `${size} characters are more than the ${letterMax} of a letter: submit_artifact keeps it, and you send its id`,
  );
}

/** In a minute, and in answer to one another. */
export function overRate(scene: CallScene, letters: readonly Letter[]): Answered | null {
  const { run, agent, task, now } = scene;
  const { mailPerMinute, hopsMax } = crewOf(run);
  if (letters.some(({ hops }) => hops > hopsMax)) {
    const loop = [...agent.trail, task.spec.name].join(' → ');
    return refuseBy(scene, 'hopsMax', `these letters only answer one another, without other work in between: ${loop}`);
  }
  const { length: written } = inLastMinute(agent.sentAt, now);
  if (written + letters.length > mailPerMinute) {
    return refuseBy(scene, 'mailPerMinute', `you wrote ${written} letters in the last minute; say more in fewer`);
  }
  return null;
}
