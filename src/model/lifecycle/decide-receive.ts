// Decisions on messages from another run, and on the results of messages sent to one. A message may be sent again after a
// crash: its number makes sure that it is accepted once.

import { type ChildLimit, childLimitsOf, limitOption } from '../core/child-limits.ts';
import { type Command, type Decision, decided, refused, stale } from '../core/command.ts';
import { messageId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import { inLastMinute } from '../core/timing.ts';
import { fullBy, type Message } from '../messages/message.ts';
import { type OtherRun, refusalWords } from '../messages/other-run.ts';
import { nobodyIn } from '../messages/undelivered.ts';
import { heardConsent, returned } from './decide-consent.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideReceive(run: Run, command: Of<'receive'>, now: number): Decision {
  const { from, runName, n, consent, message } = command;
  const known = run.messages.otherRuns.get(from);
  if (known !== undefined && n <= known.heard) return stale(`message ${n} of ${from}`);
  const agreed = heardConsent(run, command, now);
  if (message === null) return decided(agreed);
  const no = known?.consent?.approved === false ? known.consent : consent.approved ? null : consent;
  if (no !== null) return refused('notAllowed', refusalWords({ runId: from, name: runName }, no));
  const why = nobodyFor(run, message) ?? overLimit(run, known, message, now);
  if (why !== null) return refused('notAllowed', why);
  const foreign = { runId: from, run: runName, message: message.id, n };
  return decided([
    ...agreed,
    { type: 'message.sent', message: { ...message, id: messageId(run.messages.count + 1), foreign, at: now } },
  ]);
}

function nobodyFor(run: Run, { to }: Message): string | null {
  const name = `run "${run.spec?.name ?? ''}"`;
  if (run.state !== 'running') return `${name} is ${run.state}: nobody of it would read a message`;
  const task = run.tasks.get(to);
  if (task === undefined) return `there is no task ${to} in ${name}`;
  const nobody = nobodyIn(task);
  return nobody === null ? null : `"${task.spec.name}" of ${name} ${nobody}`;
}

/** To its receivers, another run counts as one sender. */
function overLimit(run: Run, otherRun: OtherRun | undefined, message: Message, now: number): string | null {
  const limits = childLimitsOf(run);
  const by = (reason: string, limit: ChildLimit): string =>
    `${reason} (limit ${limitOption(limit)} of that run: ${limits[limit]})`;
  if (message.hops > limits.hopsMax)
    return by('these messages only answer one another, without other work in between', 'hopsMax');
  const { length: heard } = inLastMinute(otherRun?.heardAt ?? [], now);
  if (heard >= limits.messagesPerMinute) return by(`${heard} messages came in the last minute`, 'messagesPerMinute');
  const inbox = run.tasks.get(message.to)?.mailbox.inbox ?? [];
  const full = fullBy(inbox, message, limits);
  return full === null ? null : by(`it has ${inbox.length} unread messages`, full);
}

export function decidePosted(run: Run, { toRun, n, refusal }: Of<'posted'>, now: number): Decision {
  const otherRun = run.messages.otherRuns.get(toRun);
  const post = otherRun?.outbox.find((each) => each.n === n);
  if (otherRun === undefined || post === undefined) return stale(`message ${n} to ${toRun}`);
  if (refusal === null || post.message === null) return decided([{ type: 'message.posted', toRun, n }]);
  return decided(returned(run, otherRun, [post.message], refusal, now));
}
