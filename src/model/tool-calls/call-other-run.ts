// `send_message` to an agent of another run. Before the first letter between two runs a person is asked, once; until then what
// is written is held, and nobody waits for it.

import { cutTo } from '../../std/characters.ts';
import { type Answered, answer, type CallScene, refuse, refuseBy } from './call-answer.ts';
import type { CallRequest } from './call.ts';
import { crewOf } from '../children/child-limits.ts';
import type { RunEventBody } from '../events.ts';
import { consentId } from '../ids.ts';
import { isShutdownWord } from '../teams/team-mail.ts';
import { quoted } from '../messages/envelope.ts';
import { fullBy, type Letter, letterText } from '../messages/message.ts';
import { newNeighbour, refusalWords, runWords, underWayTo } from '../messages/other-run.ts';
import { letterOf, overRate, overSize } from '../messages/write-message.ts';

type Send = Extract<CallRequest, { tool: 'send_message' }>;
type Address = NonNullable<Send['across']>;

export function sendAcross(scene: CallScene, request: Send, to: Address): Answered {
  const { run } = scene;
  const neighbour = run.neighbours.get(to.runId) ?? newNeighbour(to.runId, to.run);
  const { consent, asked } = neighbour;
  if (isShutdownWord(request.type)) return refuse(`a letter of type "${request.type}" is for a lead of your own run`);
  if (consent?.approved === false) return refuse(refusalWords(neighbour, consent));
  const letter = letterOf(scene, to.taskId, request, run.letters + 1);
  const over = overSize([letter]) ?? overRate(scene, [letter]) ?? overRoom(scene, to, letter);
  if (over !== null) return over;
  const { runId: toRun, run: runName, task: toName } = to;
  const outbound: RunEventBody = { type: 'mail.outbound', toRun, runName, toName, letter };
  const whom = `"${toName}" of ${runWords(neighbour)}`;
  if (consent !== null)
    return answer(`On its way to ${whom} as ${letter.id}; you are told if it does not arrive.`, outbound);
  const gateId = asked?.gateId ?? consentId(scene.task.spec.id, run.neighbours.size + 1);
  return answer(
    `Held until a person agrees (${gateId}): mail between two runs needs that once. ${letter.id} to ${whom} goes as soon as ` +
      'somebody has; you are told if it does not. Go on with your work.',
    outbound,
    ...(asked === null ? [askConsent(scene, to, letter)] : []),
  );
}

/** What has not arrived waits in a mailbox of ours, with the bounds of any other. */
function overRoom(scene: CallScene, { runId, run: name }: Address, letter: Letter): Answered | null {
  const neighbour = scene.run.neighbours.get(runId) ?? newNeighbour(runId, name);
  const waiting = underWayTo(neighbour);
  const limit = fullBy(waiting, letter, crewOf(scene.run));
  if (limit === null) return null;
  return refuseBy(
    scene,
    limit,
    `${waiting.length} letters wait to go to ${runWords(neighbour)}; try again when they have`,
  );
}

function askConsent({ run, task }: CallScene, to: Address, letter: Letter): RunEventBody {
  const text = letterText(letter);
  const here = runWords({ runId: run.spec?.id ?? 'run_', name: run.spec?.name ?? '' });
  const there = runWords({ runId: to.runId, name: to.run });
  const more = text.length > textShown ? `\n[${text.length - textShown} more characters]` : '';
  return {
    type: 'consent.asked',
    gateId: consentId(task.spec.id, run.neighbours.size + 1),
    taskId: task.spec.id,
    withRun: to.runId,
    runName: to.run,
    message:
      `"${task.spec.name}" of ${here} wants to write to "${to.task}" of ${there}, which works on ${to.repo}. If you agree, ` +
      'agents of both runs may write to each other from now on. Its letter, in its own words:\n' +
      `${quoted(cutTo(text, textShown))}${more}`,
  };
}

/** Of the letter that a person is asked about. */
const textShown = 500;
