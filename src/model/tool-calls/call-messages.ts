// `send_message` and `read_inbox`: messages between the agents of a run.

import { textPart } from '../../std/characters.ts';
import { orMeant } from '../../std/nearest.ts';
import { isOver, liveAttempt } from '../attempt/stopping.ts';
import { childLimitsOf } from '../core/child-limits.ts';
import { askerOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { findTask } from '../core/task-tree.ts';
import { countMax, envelope, quoted, turnMessageCharsMax } from '../messages/envelope.ts';
import { unsent } from '../messages/mailbox.ts';
import { fullBy, type Message, messageText } from '../messages/message.ts';
import { ownTypes } from '../messages/own-message.ts';
import { nobodyIn, readersIn } from '../messages/undelivered.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse, refuseBy } from './call-answer.ts';
import { sendToOtherRun } from './call-other-run.ts';
import { answerShutdown, everybodyElse, isAgreement, isShutdownWord, teamIn } from './team-messages.ts';
import { messageOf, overRate, overSize } from './write-message.ts';

type Send = Extract<CallRequest, { tool: 'send_message' }>;
type Read = Extract<CallRequest, { tool: 'read_inbox' }>;

export function sendMessage(scene: CallScene, request: Send): Answered {
  const { run, task } = scene;
  const { to: word, type } = request;
  if (ownTypes.some((own) => own === type)) return refuse(`messages of type "${type}" are written by Signalbox alone`);
  if (request.across !== undefined) return sendToOtherRun(scene, request, request.across);
  const name = teamIn(word);
  const found = name === null ? recipient(run, task, word) : everybodyElse(run, task, name);
  if (typeof found === 'string') return refuse(found);
  const to = Array.isArray(found) ? found : [found];
  // Agreeing to end sends no message, so a full mailbox cannot prevent it.
  const readers = isAgreement(type) ? [] : to;
  const messages = readers.map((each, i) => messageOf(scene, each.spec.id, request, run.messages.count + 1 + i));
  const over = overSize(messages) ?? overRate(scene, messages) ?? overRoom(scene, messages);
  if (over !== null) return over;
  const [first] = to;
  if (first !== undefined && isShutdownWord(type)) return answerShutdown(scene, first, request, messages);
  const whom = name === null ? `"${first?.spec.name}" as ${messages[0]?.id}` : `${to.length} of team "${name}"`;
  return answer(
    `Sent to ${whom}.${checkedNote(run, to)}`,
    ...messages.map((message) => ({ type: 'message.sent', message }) as const),
  );
}

/**
 * The receiver's work is being saved, checked or integrated: its agent reads the message only if the task has to be repeated.
 */
function checkedNote(run: Run, to: readonly Task[]): string {
  const checked = to.filter((task) => task.attempt !== null && isOver(task.attempt) && liveAttempt(run, task) !== null);
  if (checked.length === 0) return '';
  const work = to.length === 1 ? 'Its work' : `The work of ${checked.map(({ spec }) => `"${spec.name}"`).join(', ')}`;
  return ` ${work} is being checked: it reads this only if it has to go on, and otherwise you are told.`;
}

/** The task that an agent names as receiver; a text says why there is none. */
function recipient(run: Run, task: Task, word: string): Task | string {
  const asker = askerOf(run, task);
  if (word === 'parent') return asker ?? 'you have no parent in this run: use ask_person to ask a person';
  const found = findTask(run, word, asker === null ? [] : ['parent']);
  if (typeof found === 'string') return found;
  if (found === task) return 'that is you';
  const nobody = nobodyIn(found);
  if (nobody === null) return found;
  const others = readersIn(run).filter((name) => name !== task.spec.name);
  return `"${found.spec.name}" ${nobody}${orMeant(found.spec.name, others)}`;
}

/** All messages are sent, or none. */
function overRoom(scene: CallScene, messages: readonly Message[]): Answered | null {
  const full = messages.map((each) => overMailbox(scene, taskOf(scene.run, each.to), each));
  return full.find((each) => each !== null) ?? null;
}

function overMailbox(scene: CallScene, { mailbox: { inbox }, spec }: Task, message: Message): Answered | null {
  const limit = fullBy(inbox, message, childLimitsOf(scene.run));
  if (limit === null) return null;
  return refuseBy(scene, limit, `"${spec.name}" has ${inbox.length} unread messages; try again when it has read some`);
}

export function readInbox({ task, agent, attempt }: CallScene, { message: id, from }: Read): Answered {
  if (id !== null) return wholeMessage(task, id, from);
  const messages = unsent(task, agent);
  // Unread messages must not be overtaken by later ones.
  if (messages.length < task.mailbox.inbox.length) {
    return answer('Messages are on their way to you and come first, with your next step: go on, or end your turn.');
  }
  let room = turnMessageCharsMax - countMax;
  const taken = messages.slice(0, messagesShown).filter((each) => (room -= envelope(each).length + 2) >= 0);
  if (taken.length === 0) return answer('There is no message for you that you have not been given.');
  const left = messages.length - taken.length;
  const text = [...taken.map(envelope), ...(left === 0 ? [] : [`[${left} more: call read_inbox again]`])].join('\n\n');
  return answer(text, { type: 'message.taken', attemptId: attempt.id, messages: taken.map((each) => each.id) });
}

const messagesShown = 50;

function wholeMessage({ mailbox: { inbox, read }, spec }: Task, id: Message['id'], from: number): Answered {
  const message = [...inbox, ...read].find((each) => each.id === id);
  if (message === undefined) return refuse(`there is no message ${id} for "${spec.name}", or it was read long ago`);
  const { fromName, trust } = message;
  const whole = messageText(message);
  const { text: part, end, more: isMore } = textPart(whole, from, partMax);
  const more = isMore
    ? `\n[${whole.length - end} more characters: read_inbox {"message": "${id}", "from": ${end}}]`
    : '';
  return answer(
    `From "${fromName}" (${trust}), characters ${from} to ${end} of ${whole.length}:\n${quoted(part)}${more}`,
  );
}

const partMax = 12_000;
