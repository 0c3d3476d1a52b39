// Rules on letters: stamped once, to somebody who is there, given once to each session and in order, bounded, and never so that
// one looks like another.

import { agentCrew, type LetterView, lately, liveAttempt, restsFor } from './checker-children-view.ts';
import type { Data, LettersData } from './checker-data.ts';
import { type AttemptView, blame, type MessageView, type RunView, type Scene } from './checker-state.ts';
import { teamLetter } from './checker-team.ts';
import { isReport } from './checker-undelivered.ts';
import { hasEnded } from './checker-waits.ts';

const letterMax = 2_000;
const turnMax = 16_000;

export function letterSent(scene: Scene, run: RunView, at: number, { letter }: Data): void {
  const to = scene.tasks.get(letter?.to ?? '');
  if (letter === undefined || to?.run !== run) return blame(scene, 2, `a letter to ${letter?.to}, who is not there`);
  run.crew.letters += 1;
  const n = run.crew.letters;
  if (letter.id !== `letter_${n}`) blame(scene, 5, `${letter.id} is sent, ${n} is next`);
  if (to.state === 'settled') blame(scene, 5, `${letter.id} is sent to ${to.id}, which has ended`);
  const view: LetterView = { id: letter.id, n, data: letter, to };
  if (letter.kind === 'notification') notified(scene, view);
  else if (letter.kind === 'answer') answeredBy(scene, view, at);
  else if (letter.trust !== 'signalbox') written(scene, view, at);
  else if (!isReport(scene, view)) teamLetter(scene, letter, to);
  to.crew.inbox.push(view);
}

/** How a task ended is told once, and to whoever asked for it. */
function notified(scene: Scene, { id, data, to }: LetterView): void {
  const about = scene.tasks.get(data.about ?? '');
  if (about === undefined || about.crew.asker !== to)
    return blame(scene, 5, `${id} tells ${to.id} of ${data.about}, which it did not ask for`);
  if (about.state !== 'settled') blame(scene, 3, `${id} says that ${about.id} has ended, which is ${about.state}`);
  if (about.crew.told) blame(scene, 8, `${to.id} is told twice how ${about.id} ended`);
  if (!data.text.includes(`status="${about.outcome}"`)) blame(scene, 5, `${id} does not say how ${about.id} ended`);
  about.crew.told = true;
}

/** It asked a person, or waited; and it is told so when that is over. */
function answeredBy(scene: Scene, { id, data, to }: LetterView, at: number): void {
  if (data.trust === 'person') {
    if (to.question?.topic !== 'agent' || to.question.state === 'open')
      blame(scene, 7, `${id} is a person's word to ${to.id}, and no person said anything`);
    return;
  }
  const attempt = liveAttempt(to);
  if (attempt === null || !waitIsOver(scene, attempt, at))
    blame(scene, 8, `${id} says that a wait of ${to.id} is over, and it is not`);
  if (to.crew.inbox.some((letter) => letter.data.kind === 'answer' && letter.data.trust === 'signalbox'))
    blame(scene, 5, `${id} tells ${to.id} what it is told already`);
}

/** Its time may be over by a clock that went back behind its beginning. */
function waitIsOver(scene: Scene, { crew: { waits, turnEndedAt } }: AttemptView, at: number): boolean {
  if (waits === null || waits.gateId !== null) return false;
  return hasEnded(scene, waits) || (waits.until !== null && (at >= waits.until || at < turnEndedAt));
}

/** By one agent to another: stamped with who wrote it, and within the limits. */
function written(scene: Scene, { id, data, to }: LetterView, at: number): void {
  const from = scene.agents.get(data.from ?? '');
  if (from === undefined || from.state !== 'running') return blame(scene, 7, `${id} is by nobody who is at work`);
  from.crew.doings.push('mail.sent');
  from.crew.sentTo.push(to.id);
  const { limits } = to.run.crew;
  const over = (what: string, count: number): void => {
    if (count > (limits[what] ?? Number.POSITIVE_INFINITY))
      blame(scene, 7, `with ${id} ${what} is passed: ${count} of ${limits[what]}`);
  };
  if (data.trust !== 'agent' || data.fromName !== from.task.spec.name)
    blame(scene, 7, `${id} of ${from.id} is stamped as by ${data.fromName} (${data.trust})`);
  if (from.task === to) blame(scene, 5, `${id} is to its own writer`);
  const agent = agentCrew(scene, from.agentId);
  agent.sentAt = lately(agent.sentAt, at);
  over('mailPerMinute', agent.sentAt.length);
  over('mailboxMax', to.crew.inbox.length + 1);
  over(
    'mailboxCharsMax',
    to.crew.inbox.reduce((sum, each) => sum + sizeOf(each.data), sizeOf(data)),
  );
  over('hopsMax', data.hops);
}

function sizeOf({ text, data }: LettersData): number {
  return text.length + (data === undefined ? 0 : JSON.stringify(data).length);
}

/** Letters are on their way to an agent: all of them wait for it, and it is to be told now. */
export function bundleQueued(scene: Scene, attempt: AttemptView, at: number, body: NonNullable<Data['body']>): void {
  const { id, task, crew } = attempt;
  const letters = lettersOf(attempt, body.letters ?? []);
  if (letters.length === 0 || letters.length !== body.letters?.length)
    blame(scene, 5, `${id} is to be given ${body.letters?.join()}, which does not wait for it`);
  if (attempt.mail.some(({ kind, deliveredIn, isGone }) => kind === 'mail' && deliveredIn === null && !isGone))
    blame(scene, 5, `${id} is to be given letters while others are on their way`);
  if (attempt.stop !== null) blame(scene, 5, `${id} is to be given letters, and is told to end for ${attempt.stop}`);
  const { waits } = crew;
  if (waits === null) return;
  // Who has asked a person waits for the answer, whoever ends meanwhile.
  const asks = waits.gateId !== null;
  const news = task.crew.inbox.some(
    ({ data: { about } }) => about === undefined || (!asks && !waits.tasks.includes(about)),
  );
  const isOver = asks ? task.question?.state !== 'open' : waitIsOver(scene, attempt, at);
  if (!news && !isOver) blame(scene, 8, `${id} is woken, and what it waits for has not come about`);
}

/** Its process was kept while it rested, and no longer than it may be. */
export function checkWarm(scene: Scene, attempt: AttemptView, at: number): void {
  const { id, crew, task } = attempt;
  const { idleMs = 10_000 } = task.run.crew.limits;
  const since = crew.restsSince;
  crew.restsSince = null;
  if (since === null || attempt.state !== 'running' || attempt.stop !== null || !scene.healed) return;
  if (since < (scene.healedAt ?? 0) || at - since <= idleMs + slackMs) return;
  blame(scene, 8, `${id} rested for ${at - since} ms with its process, ${idleMs} is right`);
}

const slackMs = 2_000;

/** Since when it rests, if it does. */
export function comesToRest(attempt: AttemptView, at: number): void {
  attempt.crew.turnEndedAt = at;
  attempt.crew.restsSince = attempt.turn === 'ok' && restsFor(attempt) !== null ? at : null;
}

export function lettersOf({ task }: AttemptView, ids: readonly string[]): LetterView[] {
  return ids.flatMap((id) => task.crew.inbox.find((letter) => letter.id === id) ?? []);
}

/** Its agent has taken them up: for the first time in its session, and after those that their senders wrote before. */
export function takeLetters(scene: Scene, attempt: AttemptView, ids: readonly string[]): void {
  const { id, task, agentId } = attempt;
  const agent = agentCrew(scene, agentId);
  for (const letterId of ids) {
    const letter = task.crew.inbox.find((each) => each.id === letterId);
    if (letter === undefined) {
      blame(scene, 5, `${id} has taken up ${letterId}, which did not wait for it`);
      continue;
    }
    task.crew.inbox.splice(task.crew.inbox.indexOf(letter), 1);
    if (agent.taken.has(letter)) blame(scene, 5, `${letterId} is taken up twice by one session of ${agentId}`);
    agent.taken.add(letter);
    const { kind, from, fromName } = letter.data;
    const sender = `${kind === 'answer' ? 'answer' : ''} ${from ?? fromName}`;
    if ((agent.lastOf.get(sender) ?? 0) > letter.n)
      blame(scene, 5, `${letterId} is taken up by ${agentId} after a later one of ${sender}`);
    agent.lastOf.set(sender, letter.n);
  }
}

/** What a process is really told: each letter in an envelope of its own, all of them bounded. */
export function checkEnvelopes(scene: Scene, message: MessageView, said: string): void {
  const { id, letters } = message;
  const left = /\n\n\[\d+ more letters? waits?:[^\n]*\]$/.exec(said)?.[0] ?? '';
  const text = left === '' ? said : said.slice(0, -left.length);
  const parts = text.split(/\n\n(?=<(?:task-notification|agent-message|signalbox-answer) )/);
  if (parts.length !== letters.length)
    return blame(scene, 5, `${id} carries ${parts.length} letters, not ${letters.length}`);
  if (text.length > turnMax) blame(scene, 5, `${id} carries ${text.length} characters of letters`);
  for (const [i, part] of parts.entries()) {
    const lines = part.split('\n');
    const tag = /^<([a-z-]+) /.exec(part)?.[1] ?? '';
    if (part.length > letterMax) blame(scene, 5, `a letter of ${id} has ${part.length} characters`);
    if (lines.at(-1) !== `</${tag}>`) blame(scene, 5, `a letter of ${id} is not closed`);
    const inside = lines.slice(1, -1).filter((line) => /^<\/?(?:task-notification|agent-message|signalbox)/.test(line));
    if (inside.length > 0) blame(scene, 7, `a text in ${id} looks like an envelope: ${inside[0]}`);
    const letter = letters[i];
    if (letter === undefined || letter.data.kind === 'notification') continue;
    if (!lines[0]?.includes(` id="${letter.id}"`)) blame(scene, 5, `${letter.id} is given under another id`);
    if (!lines[0]?.includes(` trust="${letter.data.trust}"`)) blame(scene, 7, `${letter.id} is shown as of another`);
  }
}
