// Messages to a whole team, and a member's answer to a request to end.

import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import type { Message } from '../messages/message.ts';
import { isLed, openMembers, ownTeam } from '../teams/membership.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse } from './call-answer.ts';

type Send = Extract<CallRequest, { tool: 'send_message' }>;

/** The team that a message is addressed to; null = it is for one task. */
export function teamIn(to: string): string | null {
  return to.startsWith('team:') ? to.slice('team:'.length) : null;
}

/** Lead and members without the sender; a text says why there is none. */
export function everybodyElse(run: Run, task: Task, name: string): Task[] | string {
  const team = ownTeam(run, task, name);
  if (typeof team === 'string') return team;
  const all = [taskOf(run, team.lead), ...openMembers(run, team)].filter((each) => each !== task);
  return all.length === 0 ? `nobody else is in team "${name}"` : all;
}

const [agreed, refused] = ['shutdown-agreed', 'shutdown-refused'] as const;

export function isAgreement(type: string | null): boolean {
  return type === agreed;
}

export function isShutdownWord(type: string | null): boolean {
  return type === agreed || type === refused;
}

/** The lead learns of a refusal by message and of an agreement by the end of the task. A member may also leave unasked. */
export function answerShutdown(
  { run, task }: CallScene,
  to: Task,
  { type, text }: Pick<Send, 'type' | 'text'>,
  messages: readonly Message[],
): Answered {
  const team = task.spec.team === undefined ? undefined : run.teams.get(task.spec.team);
  if (team === undefined || team.lead !== to.spec.id) {
    return refuse(`a message of type "${type}" is for a member of a team to write to its lead`);
  }
  if (!isLed(run, team)) return refuse(`team "${team.name}" is over`);
  const { id: taskId } = task.spec;
  const told = { type: 'team.shutdownAnswered', team: team.name, taskId, agreed: type === agreed } as const;
  const event = { ...told, reason: text.slice(0, reasonMax) };
  if (type === agreed) return answer('Noted: your task is finished with its evidence when your turn ends.', event);
  return answer(
    `Noted: "${to.spec.name}" is told.`,
    event,
    ...messages.map((message) => ({ type: 'message.sent', message }) as const),
  );
}

const reasonMax = 2_000;
