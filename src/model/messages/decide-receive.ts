// Decisions on letters that come from another run, and on what became of those that were handed to one. A letter may be handed
// over again after a crash: by its number it is taken once.

import { type Command, type Decision, decided, refused, stale } from '../command.ts';
import { type CrewLimit, crewOf, limitOption } from '../children/child-limits.ts';
import { letterId } from '../ids.ts';
import type { Run } from '../run.ts';
import { inLastMinute } from '../timing.ts';
import { heardConsent, returned } from './decide-consent.ts';
import { fullBy, type Letter } from './message.ts';
import { type Neighbour, refusalWords } from './other-run.ts';
import { nobodyIn } from './write-message.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideReceive(run: Run, command: Of<'receive'>, now: number): Decision {
  const { from, runName, n, consent, letter } = command;
  const known = run.neighbours.get(from);
  if (known !== undefined && n <= known.heard) return stale(`letter ${n} of ${from}`);
  const agreed = heardConsent(run, command, now);
  if (letter === null) return decided(agreed);
  const no = known?.consent?.approved === false ? known.consent : consent.approved ? null : consent;
  if (no !== null) return refused('notAllowed', refusalWords({ runId: from, name: runName }, no));
  const why = nobodyFor(run, letter) ?? overLimit(run, known, letter, now);
  if (why !== null) return refused('notAllowed', why);
  const foreign = { runId: from, run: runName, letter: letter.id, n };
  return decided([
    ...agreed,
    { type: 'mail.sent', letter: { ...letter, id: letterId(run.letters + 1), foreign, at: now } },
  ]);
}

function nobodyFor(run: Run, { to }: Letter): string | null {
  const name = `run "${run.spec?.name ?? ''}"`;
  if (run.state !== 'running') return `${name} is ${run.state}: nobody of it would read a letter`;
  const task = run.tasks.get(to);
  if (task === undefined) return `there is no task ${to} in ${name}`;
  const nobody = nobodyIn(task);
  return nobody === null ? null : `"${task.spec.name}" of ${name} ${nobody}`;
}

/** To those who are written to, another run is one sender. */
function overLimit(run: Run, neighbour: Neighbour | undefined, letter: Letter, now: number): string | null {
  const limits = crewOf(run);
  const by = (reason: string, limit: CrewLimit): string =>
    `${reason} (limit ${limitOption(limit)} of that run: ${limits[limit]})`;
  if (letter.hops > limits.hopsMax)
    return by('these letters only answer one another, without other work in between', 'hopsMax');
  const { length: heard } = inLastMinute(neighbour?.heardAt ?? [], now);
  if (heard >= limits.mailPerMinute) return by(`${heard} letters came in the last minute`, 'mailPerMinute');
  const inbox = run.tasks.get(letter.to)?.inbox ?? [];
  const full = fullBy(inbox, letter, limits);
  return full === null ? null : by(`it has ${inbox.length} unread letters`, full);
}

export function decidePosted(run: Run, { toRun, n, refusal }: Of<'posted'>, now: number): Decision {
  const neighbour = run.neighbours.get(toRun);
  const post = neighbour?.outbox.find((each) => each.n === n);
  if (neighbour === undefined || post === undefined) return stale(`letter ${n} to ${toRun}`);
  if (refusal === null || post.letter === null) return decided([{ type: 'mail.posted', toRun, n }]);
  return decided(returned(run, neighbour, [post.letter], refusal, now));
}
