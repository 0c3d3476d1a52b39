// `wait`: an agent waits for tasks to end or for a message. Its turn ends; it is notified when what it waits for has happened.

import { hasComeAbout, isTimeUp, type Waits } from '../children/awaited.ts';
import { circleThrough } from '../children/wait-cycle.ts';
import type { RunEventBody } from '../core/events.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { findTask } from '../core/task-tree.ts';
import { sendOwnMessage } from '../messages/own-message.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse } from './call-answer.ts';

type Wait = Extract<CallRequest, { tool: 'wait' }>;

export function waitFor({ run, task, attempt, now }: CallScene, { tasks, mode, timeoutMs }: Wait): Answered {
  const named: Task[] = [];
  for (const word of tasks) {
    const found = findTask(run, word);
    if (typeof found === 'string') return refuse(found);
    if (!named.includes(found)) named.push(found);
  }
  const awaited = tasks.length === 0 ? task.children.ids.map((id) => taskOf(run, id)).filter(isOpen) : named;
  const until = timeoutMs === null ? null : now + timeoutMs;
  const atLatest = timeoutMs === null ? '' : `, or after ${Math.round(timeoutMs / 1000)} s`;
  if (awaited.length === 0 && until === null)
    return answer(
      'None of your children is still at work, so there is nothing to wait for. With timeout_s you wait for messages.',
    );
  if (awaited.length === 0) {
    const waits: Waits = { tasks: [], mode: 'any', askId: null, until };
    return answer(`${parked} You are told when somebody writes to you${atLatest}.`, {
      type: 'attempt.waiting',
      attemptId: attempt.id,
      waits,
    });
  }
  const circle = circleOf(run, task, awaited, mode);
  if (circle !== null) return refuse(`you would wait for yourself: ${circle.join(' → ')}`);
  const waits: Waits = { tasks: awaited.map(({ spec }) => spec.id), mode, askId: null, until };
  if (hasComeAbout(run, waits)) return answer(`It has come about already.\n${statesOf(run, waits)}`);
  return answer(`${parked} You are told when ${mode} of them ${mode === 'all' ? 'have' : 'has'} ended${atLatest}.`, {
    type: 'attempt.waiting',
    attemptId: attempt.id,
    waits,
  });
}

const parked = 'Parked: your turn ends here, and you cost nothing while you wait.';

function isOpen({ state }: Task): boolean {
  return state !== 'ended';
}

/** With mode `any`, it is enough that one of them can end without the waiting agent. */
function circleOf(run: Run, task: Task, awaited: readonly Task[], mode: Waits['mode']): readonly string[] | null {
  const clear = new Set<Task>();
  let first: readonly string[] | null = null;
  for (const each of awaited) {
    const circle = circleThrough(run, task, each, clear);
    if (mode === 'any' ? circle === null : circle !== null) return circle;
    first ??= circle;
  }
  return first;
}

/** Notifies agents whose wait is over. One at a time, because each message takes the next number. */
export function decideNextWoken(run: Run, now: number): RunEventBody[] {
  for (const attempt of run.live.values()) {
    const { waits } = attempt;
    if (waits === null || waits.askId !== null) continue;
    const task = taskOf(run, attempt.taskId);
    const isOver = hasComeAbout(run, waits);
    if (!isOver && !isTimeUp(attempt, now)) continue;
    if (task.mailbox.inbox.some(({ kind }) => kind === 'answer')) continue;
    const head = isOver ? 'What you waited for has come about.' : 'The time that you wanted to wait is over.';
    const text = `${head}\n${statesOf(run, waits)}`.trimEnd();
    return [sendOwnMessage(run, now, { to: task.spec.id, kind: 'answer', text })];
  }
  return [];
}

function statesOf(run: Run, { tasks }: Waits): string {
  const lines = tasks.slice(0, statesShown).map((id) => {
    const { spec, state, outcome } = taskOf(run, id);
    return `${spec.name}: ${outcome?.kind ?? state}`;
  });
  const more = tasks.length > statesShown ? `\nand ${tasks.length - statesShown} more: list_tasks shows them` : '';
  return lines.join('\n') + more;
}

const statesShown = 20;
