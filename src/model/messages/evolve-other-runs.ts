// Folds what happens between this run and others.

import { must, unreachable } from '../../std/assert.ts';
import { crewOf } from '../children/child-limits.ts';
import type { RunEvent } from '../events.ts';
import type { RunId } from '../ids.ts';
import { agentOf } from '../lookup.ts';
import type { Run } from '../run.ts';
import { lately } from '../timing.ts';
import type { AcrossEvent as Body } from './other-run-events.ts';
import type { Letter } from './message.ts';
import { type Neighbour, newNeighbour, type OutLetter, type OutPost } from './other-run.ts';

type AcrossEvent = Extract<RunEvent, Body>;
type Of<Type extends Body['type']> = Extract<RunEvent, { type: Type }>;

const acrossTypes: ReadonlySet<string> = new Set<Body['type']>([
  'mail.outbound',
  'consent.asked',
  'consent.given',
  'mail.posted',
  'mail.returned',
]);

export function isAcrossEvent(event: RunEvent): event is AcrossEvent {
  return acrossTypes.has(event.type);
}

export function evolveAcross(run: Run, event: AcrossEvent): void {
  switch (event.type) {
    case 'mail.outbound':
      return noteWritten(run, event);
    case 'consent.asked': {
      const { gateId, taskId, message, at } = event;
      meet(run, event.withRun, event.runName).asked = { gateId, taskId, message, at };
      return;
    }
    case 'consent.given':
      return noteConsent(meet(run, event.withRun, event.runName), event);
    case 'mail.posted': {
      const neighbour = neighbourOf(run, event.toRun);
      neighbour.outbox = neighbour.outbox.filter(({ n }) => n !== event.n);
      return;
    }
    case 'mail.returned': {
      const neighbour = neighbourOf(run, event.toRun);
      const isBack = ({ letter }: OutLetter | OutPost): boolean => letter !== null && event.letters.includes(letter.id);
      neighbour.held = neighbour.held.filter((each) => !isBack(each));
      neighbour.outbox = neighbour.outbox.filter((each) => !isBack(each));
      return;
    }
    default:
      unreachable(event);
  }
}

function noteWritten(run: Run, { toRun, runName, toName, letter }: Of<'mail.outbound'>): void {
  run.letters += 1;
  const neighbour = meet(run, toRun, runName);
  if (neighbour.consent?.approved === true) put(neighbour, { letter, toName });
  else neighbour.held = [...neighbour.held, { letter, toName }];
  noteSender(run, letter);
}

function noteConsent(neighbour: Neighbour, event: Of<'consent.given'>): void {
  const { approved, by, message, decidedAt } = event;
  neighbour.consent = { approved, by, message, at: decidedAt };
  // The other run hears of it before any letter, or it would ask a person again when somebody answers.
  if (event.gateId !== null) put(neighbour, { letter: null });
  if (!approved) return;
  for (const each of neighbour.held) put(neighbour, each);
  neighbour.held = [];
}

function put(neighbour: Neighbour, what: OutLetter | { readonly letter: null }): void {
  neighbour.posts += 1;
  neighbour.outbox = [...neighbour.outbox, { n: neighbour.posts, ...what }];
}

/** A letter that came from another run. */
export function noteHeard(run: Run, { foreign, at }: Letter): void {
  if (foreign === undefined) return;
  const neighbour = meet(run, foreign.runId, foreign.run);
  neighbour.heard = foreign.n;
  neighbour.heardAt = lately(neighbour.heardAt, at).slice(-crewOf(run).mailPerMinute);
}

/** How much an agent writes is bounded, whomever it writes to. */
export function noteSender(run: Run, { from: id, kind, foreign, at }: Letter): void {
  if (id === undefined || kind !== 'message' || foreign !== undefined) return;
  const from = agentOf(run, id);
  from.sentAt = lately(from.sentAt, at).slice(-crewOf(run).mailPerMinute);
}

function meet(run: Run, runId: RunId, name: string): Neighbour {
  let neighbour = run.neighbours.get(runId);
  if (neighbour === undefined) run.neighbours.set(runId, (neighbour = newNeighbour(runId, name)));
  neighbour.name = name;
  return neighbour;
}

function neighbourOf({ neighbours }: Run, id: RunId): Neighbour {
  return must(neighbours.get(id), `${id} was written to`);
}
