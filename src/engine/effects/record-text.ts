// The text of an input record as the harness encodes it: prompts, messages, answers.

import type { RequestAsk } from '../../model/asks/ask.ts';
import { requestAsk } from '../../model/asks/find-asks.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import { agentOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { messagesText } from '../../model/messages/envelope.ts';
import { promptText } from '../../model/tasks/prompt.ts';
import type { AnswerBody, Order } from '../../ports/harness.ts';
import { must } from '../../std/assert.ts';

/** The order of a queued record. `inputs`: where the agent finds its inputs whole. */
export function orderOf(run: Run, task: Task, attempt: Attempt, recordId: string, inputs: string): Order {
  const record = must(
    agentOf(run, attempt.agentId).mailbox.records.find((each) => each.id === recordId),
    'what is due is in the records',
  );
  const { body, id } = record;
  switch (body.kind) {
    case 'answer':
      return { recordId: id, body: answerOf(requestAsk(run, body.askId)) };
    case 'messages': {
      // A record that was read before its writing was journalled is written again with the same text.
      const known = [...task.mailbox.inbox, ...task.mailbox.read];
      const messages = body.messages.flatMap((each) => known.find(({ id: message }) => message === each) ?? []);
      return { recordId: id, body: { kind: 'text', text: messagesText(messages, body.left) } };
    }
    case 'prompt': {
      // As it was when the record was queued: part of it, or all, may be written already.
      const briefing = agentOf(run, attempt.agentId).briefings[id];
      const told = briefing === undefined ? {} : { told: briefing };
      const text = promptText(run, task, { again: body.again === true, inputs, ...told });
      return { recordId: id, body: { kind: 'text', text } };
    }
    default:
      return { recordId: id, body };
  }
}

/** Whether a queued record is the prompt of its task. */
export function isPrompt(run: Run, attempt: Attempt, recordId: string): boolean {
  const { records } = agentOf(run, attempt.agentId).mailbox;
  return records.some(({ id, body }) => id === recordId && body.kind === 'prompt');
}

function answerOf({ request: { requestId, input }, answer }: RequestAsk): AnswerBody {
  const { approved, message, by, answers } = must(answer, 'an answer follows a decision');
  if (!approved) return { kind: 'deny', requestId, message: message ?? `${by} said no.`, interrupt: false };
  return { kind: 'allow', requestId, input, ...(answers === undefined ? {} : { answers }) };
}
