// `send_message` to an agent of another run. Before the first message between two runs a person is asked once. Until the
// answer, messages are held and no agent waits for them.

import { cutTo } from '../../std/characters.ts';
import { consentAskedFor } from '../asks/find-asks.ts';
import { childLimitsOf } from '../core/child-limits.ts';
import type { RunEventBody } from '../core/events.ts';
import { consentId } from '../core/ids.ts';
import { quoted } from '../messages/envelope.ts';
import { fullBy, type Message, messageText } from '../messages/message.ts';
import { newOtherRun, refusalWords, runWords, underWayTo } from '../messages/other-run.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse, refuseBy } from './call-answer.ts';
import { isShutdownWord } from './team-messages.ts';
import { messageOf, overRate, overSize } from './write-message.ts';

type Send = Extract<CallRequest, { tool: 'send_message' }>;
type Address = NonNullable<Send['across']>;

export function sendToOtherRun(scene: CallScene, request: Send, to: Address): Answered {
  const { run } = scene;
  const otherRun = run.messages.otherRuns.get(to.runId) ?? newOtherRun(to.runId, to.run);
  const { consent } = otherRun;
  const asked = consentAskedFor(run, to.runId);
  if (isShutdownWord(request.type)) return refuse(`a message of type "${request.type}" is for a lead of your own run`);
  if (consent?.approved === false) return refuse(refusalWords(otherRun, consent));
  const message = messageOf(scene, to.taskId, request, run.messages.count + 1);
  const over = overSize([message]) ?? overRate(scene, [message]) ?? overRoom(scene, to, message);
  if (over !== null) return over;
  const { runId: toRun, run: runName, task: toName } = to;
  const outbound: RunEventBody = { type: 'message.outbound', toRun, runName, toName, message };
  const whom = `"${toName}" of ${runWords(otherRun)}`;
  if (consent !== null)
    return answer(`On its way to ${whom} as ${message.id}; you are told if it does not arrive.`, outbound);
  const askId = asked?.id ?? consentId(scene.task.spec.id, run.messages.otherRuns.size + 1);
  return answer(
    `Held until a person agrees (${askId}): messages between two runs need that once. ${message.id} to ${whom} goes as soon as ` +
      'somebody has; you are told if it does not. Go on with your work.',
    outbound,
    ...(asked === null ? [askConsent(scene, to, message)] : []),
  );
}

/** Messages that were not delivered yet count against the same limits as a mailbox. */
function overRoom(scene: CallScene, { runId, run: name }: Address, message: Message): Answered | null {
  const otherRun = scene.run.messages.otherRuns.get(runId) ?? newOtherRun(runId, name);
  const waiting = underWayTo(otherRun);
  const limit = fullBy(waiting, message, childLimitsOf(scene.run));
  if (limit === null) return null;
  return refuseBy(
    scene,
    limit,
    `${waiting.length} messages wait to go to ${runWords(otherRun)}; try again when they have`,
  );
}

function askConsent({ run, task }: CallScene, to: Address, message: Message): RunEventBody {
  const text = messageText(message);
  const here = runWords({ runId: run.spec?.id ?? 'run_', name: run.spec?.name ?? '' });
  const there = runWords({ runId: to.runId, name: to.run });
  const more = text.length > textShown ? `\n[${text.length - textShown} more characters]` : '';
  return {
    type: 'ask.opened',
    kind: 'consent',
    askId: consentId(task.spec.id, run.messages.otherRuns.size + 1),
    taskId: task.spec.id,
    withRun: to.runId,
    runName: to.run,
    message:
      `"${task.spec.name}" of ${here} wants to write to "${to.task}" of ${there}, which works on ${to.repo}. If you agree, ` +
      'agents of both runs may write to each other from now on. Its message, in its own words:\n' +
      `${quoted(cutTo(text, textShown))}${more}`,
  };
}

/** Characters of the message shown to the person who is asked. */
const textShown = 500;
