// The part of a prompt about earlier work: children and messages of former sessions. It depends on what agents do meanwhile,
// and a prompt may have to be written again, so it is made once, when the prompt is queued.

import type { RunEvent } from '../core/events.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { attribute } from '../messages/envelope.ts';
import { handoffMax } from '../session/handoff.ts';
import { rebuiltWords, saidWords } from '../session/rebuilt.ts';
import { standingWords } from '../teams/team-words.ts';

/** Keeps it with the agent, under the record that carries the prompt, until that record is gone. */
export function evolveBriefing(run: Run, event: Extract<RunEvent, { type: 'record.queued' }>): void {
  if (event.body.kind !== 'prompt') return;
  const agent = agentOf(run, event.agentId);
  const text = toldBefore(run, taskOf(run, agent.taskId), event.body.again === true);
  const kept = Object.entries(agent.briefings).filter(([id]) =>
    agent.mailbox.records.some((record) => record.id === id),
  );
  agent.briefings = { ...Object.fromEntries(kept), [event.recordId]: text };
}

/** Empty if there was nothing before. */
export function toldBefore(run: Run, task: Task, again: boolean): string {
  const children = childWords(run, task);
  const rebuilt = rebuiltWords(run, task, again, handoffMax - children.length);
  const parts = [children, standingWords(run, task), saidWords(run, task), messageWords(task), rebuilt];
  return parts.filter((words) => words !== '').join('\n\n');
}

/** An agent that takes over a task must know the children that it already has. */
function childWords(run: Run, { children: { ids: children } }: Task): string {
  if (children.length === 0) return '';
  const shown = children.slice(-childrenShown).map((id) => {
    const { spec, state, outcome } = taskOf(run, id);
    return `- ${spec.name}: ${outcome?.kind ?? state}`;
  });
  const more = children.length > childrenShown ? [`- and ${children.length - childrenShown} before them`] : [];
  const head =
    'This task has these children already. get_task tells more of each, read_output what it gave. Do not ask again for ' +
    'what succeeded or is under way; what was stopped or failed nobody does again unless you ask for it, under another name.';
  return ['## Agents', head, [...more, ...shown].join('\n')].join('\n\n');
}

const childrenShown = 50;

/** Messages that were read in a former session of this task. */
function messageWords({ mailbox: { read } }: Task): string {
  const messages = read.filter(({ trust }) => trust !== 'signalbox');
  if (messages.length === 0) return '';
  const shown = messages.slice(-messagesShown).map(({ id, fromName, trust, text }) => {
    return `- ${id} from "${attribute(fromName)}" (${trust}): ${attribute(text)}`;
  });
  const more = messages.length > messagesShown ? [`- and ${messages.length - messagesShown} before them`] : [];
  const head = 'These messages came for this task before. read_inbox with "message" gives each again, whole.';
  return ['## Messages', head, [...more, ...shown].join('\n')].join('\n\n');
}

const messagesShown = 20;
