// Lists the messages of a run with delivery status, from the journal. Read-only.

import type { Engine } from '../../engine/engine.ts';
import { summaryHead } from '../../model/children/notification.ts';
import type { MessageId, RunId } from '../../model/core/ids.ts';
import { type Message, messageSize } from '../../model/messages/message.ts';
import type { OtherRunEvent } from '../../model/messages/other-run-events.ts';
import type { Journal, StoredEvent } from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import { nearest } from '../../std/nearest.ts';
import { sealOf } from '../../store/sealed-text.ts';
import type { MessageContent, MessageList, MessageView } from '../../wire/message-views.ts';
import type { EnvelopeSource } from './artifact-envelope.ts';
import { standingIn } from './message-status.ts';

export interface MessageSource extends Pick<EnvelopeSource, 'envelope'> {
  readonly engine: Pick<Engine, 'lookRun'>;
  readonly journal: Pick<Journal, 'read'>;
}

const pageSize = 1_000;
/** Only the newest; the journal has all. */
const listedMax = 1_000;
const lineMax = 200;

export async function listMessages(source: MessageSource, runId: RunId, dead: boolean): Promise<MessageList> {
  const view = await viewer(source, runId);
  const all: MessageView[] = [];
  for await (const event of eventsOf(source, runId, isMessage)) {
    const message = view(event);
    if (!dead || message.state === 'dead') all.push(message);
  }
  return { runId, messages: all.slice(-listedMax), earlier: Math.max(0, all.length - listedMax) };
}

/** `word`: the id of the message, or its number. */
export async function readMessage(source: MessageSource, runId: RunId, word: string): Promise<MessageContent> {
  const view = await viewer(source, runId);
  const wanted = /^\d+$/.test(word) ? `message_${word}` : word;
  const ids: string[] = [];
  for await (const event of eventsOf(source, runId, isMessage)) {
    const message = messageIn(event);
    ids.push(message.id);
    if (message.id !== wanted) continue;
    const envelope = source.envelope(event);
    const unsealed = sealOf(event) === null ? 'none' : 'bad';
    return {
      ...view(event),
      runId,
      seq: event.seq,
      text: message.text,
      data: message.data ?? null,
      seal: envelope === null ? unsealed : 'good',
      envelope,
    };
  }
  const near = nearest(wanted, ids);
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
  throw new Fault('not_found', `the run has no message "${word}"${hint}`);
}

/** A message between runs is in the journals of both. */
const isMessage = /^message\.(sent|outbound)(@|$)/;
const isReturn = /^message\.returned(@|$)/;

async function* eventsOf({ journal }: MessageSource, runId: RunId, type: RegExp): AsyncGenerator<StoredEvent> {
  for (let after = 0; ; ) {
    const page = await journal.read(runId, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const event of page) if (type.test(event.type)) yield event;
    after = last.seq;
  }
}

type Outbound = Extract<OtherRunEvent, { type: 'message.outbound' }>;
type Sent = Pick<Outbound, 'message'> & Partial<Pick<Outbound, 'toRun' | 'toName' | 'runName'>>;

function messageIn({ data }: StoredEvent): Message {
  return (JSON.parse(data) as Sent).message;
}

/** Copies what it needs at once, because the run keeps changing. */
async function viewer(source: MessageSource, runId: RunId): Promise<(event: StoredEvent) => MessageView> {
  const became = await source.engine.lookRun(runId, (run) => {
    if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
    return standingIn(run);
  });
  const back = became.abroad ? await returnedIn(source, runId) : new Map<MessageId, string>();
  return (event) => {
    const { message, toRun, toName, runName = '' } = JSON.parse(event.data) as Sent;
    const { id, from = null, fromName, to, kind, type = null, trust, chain, hops, at, foreign } = message;
    const otherRun: MessageView['otherRun'] =
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
      ...(toRun === undefined ? became.here(message) : became.there(message, back.get(id))),
      size: messageSize(message),
      line: firstLine(message).slice(0, lineMax),
    };
  };
}

/** Why messages to other runs were returned. */
async function returnedIn(source: MessageSource, runId: RunId): Promise<Map<MessageId, string>> {
  const back = new Map<MessageId, string>();
  for await (const { data } of eventsOf(source, runId, isReturn)) {
    const { messages, why } = JSON.parse(data) as Extract<OtherRunEvent, { type: 'message.returned' }>;
    for (const id of messages) back.set(id, why);
  }
  return back;
}

/** The first line; for a notification, how the task ended and its summary. */
function firstLine({ kind, text }: Message): string {
  const [line = '', ...more] = text.trimStart().split('\n');
  const status = kind === 'notification' ? / status="(\w+)">$/.exec(line)?.[1] : undefined;
  if (status === undefined) return line;
  const said = more.includes(summaryHead) ? more[more.indexOf(summaryHead) + 1]?.replace(/^> ?/, '') : undefined;
  const why = more.find((each) => each.startsWith('failure: '))?.slice('failure: '.length);
  return [status, why ?? said].filter((part) => part !== undefined).join(': ');
}
