// The letters of a run as people ask for them: all that were sent, by the record, and what became of each. Reads only.

import type { Engine } from '../../engine/engine.ts';
import type { LetterId, RunId } from '../../model/ids.ts';
import type { AcrossEvent } from '../../model/messages/other-run-events.ts';
import { type Letter, letterSize } from '../../model/messages/message.ts';
import { summaryHead } from '../../model/messages/notification.ts';
import { Fault } from '../../std/fault.ts';
import { nearest } from '../../std/nearest.ts';
import type { Journal, StoredEvent } from '../../store/journal.ts';
import { sealOf } from '../../store/sealed-text.ts';
import type { LetterContent, LetterList, LetterView } from '../../wire/message-views.ts';
import type { EnvelopeSource } from './artifact-envelope.ts';
import { standingIn } from './message-status.ts';

export interface MailSource extends Pick<EnvelopeSource, 'envelope'> {
  readonly engine: Pick<Engine, 'lookRun'>;
  readonly journal: Pick<Journal, 'read'>;
}

const pageSize = 1_000;
/** The newest of them; the record has all. */
const listedMax = 1_000;
const lineMax = 200;

export async function listMail(source: MailSource, runId: RunId, dead: boolean): Promise<LetterList> {
  const view = await viewer(source, runId);
  const all: LetterView[] = [];
  for await (const event of eventsOf(source, runId, isLetter)) {
    const letter = view(event);
    if (!dead || letter.state === 'dead') all.push(letter);
  }
  return { runId, letters: all.slice(-listedMax), earlier: Math.max(0, all.length - listedMax) };
}

/** `word`: its id, or the number in it. */
export async function readLetter(source: MailSource, runId: RunId, word: string): Promise<LetterContent> {
  const view = await viewer(source, runId);
  const wanted = /^\d+$/.test(word) ? `letter_${word}` : word;
  const ids: string[] = [];
  for await (const event of eventsOf(source, runId, isLetter)) {
    const letter = letterIn(event);
    ids.push(letter.id);
    if (letter.id !== wanted) continue;
    const envelope = source.envelope(event);
    const unsealed = sealOf(event) === null ? 'none' : 'bad';
    return {
      ...view(event),
      runId,
      seq: event.seq,
      text: letter.text,
      data: letter.data ?? null,
      seal: envelope === null ? unsealed : 'good',
      envelope,
    };
  }
  const near = nearest(wanted, ids);
  const hint = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
  throw new Fault('not_found', `the run has no letter "${word}"${hint}`);
}

/** What was written to another run is in the record of both. */
const isLetter = /^mail\.(sent|outbound)(@|$)/;
const isReturn = /^mail\.returned(@|$)/;

async function* eventsOf({ journal }: MailSource, runId: RunId, type: RegExp): AsyncGenerator<StoredEvent> {
  for (let after = 0; ; ) {
    const page = await journal.read(runId, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const event of page) if (type.test(event.type)) yield event;
    after = last.seq;
  }
}

type Outbound = Extract<AcrossEvent, { type: 'mail.outbound' }>;
type Sent = Pick<Outbound, 'letter'> & Partial<Pick<Outbound, 'toRun' | 'toName' | 'runName'>>;

function letterIn({ data }: StoredEvent): Letter {
  return (JSON.parse(data) as Sent).letter;
}

/** What it needs of the run is taken at once: the run goes on. */
async function viewer(source: MailSource, runId: RunId): Promise<(event: StoredEvent) => LetterView> {
  const became = await source.engine.lookRun(runId, (run) => {
    if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
    return standingIn(run);
  });
  const back = became.abroad ? await returnedIn(source, runId) : new Map<LetterId, string>();
  return (event) => {
    const { letter, toRun, toName, runName = '' } = JSON.parse(event.data) as Sent;
    const { id, from = null, fromName, to, kind, type = null, trust, chain, hops, at, foreign } = letter;
    const otherRun: LetterView['otherRun'] =
      toRun !== undefined
        ? { way: 'to', id: toRun, name: runName }
        : foreign === undefined
          ? null
          : { way: 'from', id: foreign.runId, name: foreign.run };
    return {
      id,
      at,
      from: fromName,
      fromId: from,
      to: toName ?? became.names.get(to) ?? to,
      toId: to,
      otherRun,
      kind,
      type,
      trust,
      chain: [...chain],
      hops,
      ...(toRun === undefined ? became.here(letter) : became.there(letter, back.get(id))),
      size: letterSize(letter),
      line: firstLine(letter).slice(0, lineMax),
    };
  };
}

/** Why they will not be read in other runs. */
async function returnedIn(source: MailSource, runId: RunId): Promise<Map<LetterId, string>> {
  const back = new Map<LetterId, string>();
  for await (const { data } of eventsOf(source, runId, isReturn)) {
    const { letters, why } = JSON.parse(data) as Extract<AcrossEvent, { type: 'mail.returned' }>;
    for (const id of letters) back.set(id, why);
  }
  return back;
}

/** Of a notification, whose first line tells only whom it is about: how that one ended, and why or with which words. */
function firstLine({ kind, text }: Letter): string {
  const [line = '', ...more] = text.trimStart().split('\n');
  const status = kind === 'notification' ? / status="(\w+)">$/.exec(line)?.[1] : undefined;
  if (status === undefined) return line;
  const said = more.includes(summaryHead) ? more[more.indexOf(summaryHead) + 1]?.replace(/^> ?/, '') : undefined;
  const why = more.find((each) => each.startsWith('failure: '))?.slice('failure: '.length);
  return [status, why ?? said].filter((part) => part !== undefined).join(': ');
}
