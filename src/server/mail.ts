// The letters of a run as people ask for them: all that were sent, by the record, and what became of each. Reads only.

import type { Engine } from '../engine/engine.ts';
import type { CrewEvent } from '../model/crew-events.ts';
import type { LetterId, RunId } from '../model/ids.ts';
import { type Letter, letterSize } from '../model/letter.ts';
import type { Run } from '../model/run.ts';
import { Fault } from '../std/fault.ts';
import { nearest } from '../std/nearest.ts';
import type { Journal, StoredEvent } from '../store/journal.ts';
import { sealOf } from '../store/sealed-text.ts';
import type { LetterContent, LetterList, LetterView } from '../wire/mail-views.ts';
import type { EnvelopeSource } from './artifact-envelope.ts';

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
  for await (const event of lettersOf(source.journal, runId)) {
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
  for await (const event of lettersOf(source.journal, runId)) {
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

async function* lettersOf(journal: MailSource['journal'], runId: RunId): AsyncGenerator<StoredEvent> {
  for (let after = 0; ; ) {
    const page = await journal.read(runId, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const event of page) if (event.type.startsWith('mail.sent')) yield event;
    after = last.seq;
  }
}

function letterIn({ data }: StoredEvent): Letter {
  return (JSON.parse(data) as Extract<CrewEvent, { type: 'mail.sent' }>).letter;
}

/** What it needs of the run is taken at once: the run goes on. */
async function viewer({ engine }: MailSource, runId: RunId): Promise<(event: StoredEvent) => LetterView> {
  const { names, unread, ended } = await engine.lookRun(runId, (run) => {
    if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
    return standing(run);
  });
  return (event) => {
    const letter = letterIn(event);
    const { id, from = null, fromName, to, kind, type = null, trust, chain, hops, at, text } = letter;
    const over = ended.get(to);
    const state = !unread.has(id) ? 'delivered' : over === undefined ? 'waiting' : 'dead';
    return {
      id,
      at,
      from: fromName,
      fromId: from,
      to: names.get(to) ?? to,
      toId: to,
      kind,
      type,
      trust,
      chain: [...chain],
      hops,
      state,
      why: state === 'dead' ? `the task it was for has ended (${over}) before it was read` : null,
      size: letterSize(letter),
      line: text.trimStart().split('\n', 1)[0]?.slice(0, lineMax) ?? '',
    };
  };
}

interface Standing {
  readonly names: ReadonlyMap<string, string>;
  readonly unread: ReadonlySet<LetterId>;
  /** How a task has ended. */
  readonly ended: ReadonlyMap<string, string>;
}

function standing(run: Run): Standing {
  const tasks = [...run.tasks.values()];
  return {
    names: new Map(tasks.map(({ spec }) => [spec.id, spec.name])),
    unread: new Set(tasks.flatMap(({ inbox }) => inbox.map(({ id }) => id))),
    ended: new Map(tasks.flatMap(({ spec, outcome }) => (outcome === null ? [] : [[spec.id, outcome.kind]]))),
  };
}
