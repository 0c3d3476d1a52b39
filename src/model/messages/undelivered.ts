// Messages of agents that nobody will read because the task they were for has ended. The agent that wrote them is told once for
// each ended task, if its own task has not ended. Only what agents wrote is reported, so a report is never reported itself.

import { cutTo } from '../../std/characters.ts';
import type { RunEventBody } from '../events.ts';
import { taskOf } from '../lookup.ts';
import type { Run, Task } from '../run.ts';
import { attribute } from './envelope.ts';
import { type Letter, letterText } from './message.ts';
import { sendOwnLetter } from './own-message.ts';

/** Whether an ended task has messages of agents of its run that were not taken up. */
export function hasUnread({ state, inbox }: Task): boolean {
  return state === 'settled' && inbox.some(isByAgent);
}

function isByAgent({ from, kind, trust, foreign }: Letter): boolean {
  return from !== undefined && kind === 'message' && trust === 'agent' && foreign === undefined;
}

/** One sender at a time: each report takes the next letter's number. */
export function decideNextUndelivered(run: Run, now: number): RunEventBody[] {
  for (const task of run.unread.values()) {
    const first = task.inbox.find((letter) => isByAgent(letter) && senderOf(run, letter)?.state !== 'settled');
    const sender = first === undefined ? null : senderOf(run, first);
    if (sender === null) continue;
    const letters = task.inbox.filter((letter) => isByAgent(letter) && senderOf(run, letter) === sender);
    const report = { to: sender.spec.id, kind: 'message', type: 'not-delivered', about: task.spec.id } as const;
    return [
      { type: 'mail.undelivered', taskId: task.spec.id, letters: letters.map(({ id }) => id) },
      sendOwnLetter(run, now, { ...report, text: reportText(task, letters) }),
    ];
  }
  return [];
}

function senderOf(run: Run, { from }: Letter): Task | null {
  const agent = from === undefined ? undefined : run.agents.get(from);
  return agent === undefined ? null : taskOf(run, agent.taskId);
}

function reportText({ spec, outcome }: Task, letters: readonly Letter[]): string {
  const lines = letters.slice(0, listedMax).map((letter) => `${letter.id}: ${firstLine(letter)}`);
  const more = letters.length > listedMax ? [`and ${letters.length - listedMax} more`] : [];
  const head = `Not delivered to "${spec.name}", which ended (${outcome?.kind ?? 'ended'}) before it read:`;
  return [head, ...lines, ...more].join('\n');
}

const listedMax = 10;
const lineMax = 100;

function firstLine(letter: Letter): string {
  return attribute(cutTo(letterText(letter).trimStart().split('\n', 1)[0] ?? '', lineMax), lineMax);
}
