// What the scripted agent reads from its stdin: messages, requests of its host, and answers to its own requests. Messages are
// kept until the script reads them; requests that a host must not wait for are answered at once.

import { createLineSplitter } from '../../../std/lines.ts';
import { type Json, listIn, objectIn, parseObject, textIn } from '../../stream-json/untrusted-json.ts';
import { createRequests } from './open-requests.ts';
import type { Voice } from './output-writer.ts';

export interface InputRecord {
  readonly uuid: string;
  readonly text: string;
}

export interface Hook {
  readonly event: string;
  readonly matcher: string;
  readonly callback: string;
}

export interface Ear {
  /** Messages that were not read yet. */
  readonly waiting: InputRecord[];
  /** As named in the host's `initialize`. */
  readonly hooks: readonly Hook[];
  /** Why there will be no more messages; null = there may be. */
  readonly ended: 'told' | 'closed' | null;
  /** From now on requests of the host are ignored: interrupts and ends too. */
  deafen(): void;
  /** From now on all input is ignored. */
  stop(): void;
  /** Resolves with the next input, or at the next `ring`. */
  news(): Promise<void>;
  ring(): void;
  /** A request to the host; null = the input ended without an answer. Rejects when the turn is interrupted. */
  ask(request: Json, signal: AbortSignal): Promise<Json | null>;
}

export function createEar(voice: Voice, interrupt: () => void): Ear {
  const waiting: InputRecord[] = [];
  const hooks: Hook[] = [];
  const requests = createRequests(voice);
  let deaf = false;
  let stopped = false;
  let ended: Ear['ended'] = null;
  let ring: () => void = () => undefined;
  let news = new Promise<void>((resolve) => (ring = resolve));

  const wake = (): void => {
    ring();
    news = new Promise((resolve) => (ring = resolve));
  };
  const reply = (requestId: unknown, answer: Json): void =>
    voice.emit({ type: 'control_response', response: { ...answer, request_id: requestId } });
  const control = (requestId: unknown, request: Json): void => {
    const { subtype } = request;
    const fitting = answers[textIn(subtype)];
    if (fitting === undefined) {
      return reply(requestId, { subtype: 'error', error: `Unsupported control request subtype: ${textIn(subtype)}` });
    }
    if (subtype === 'initialize') hooks.push(...hooksIn(request));
    if (subtype === 'end_session') ended = 'told';
    reply(requestId, { subtype: 'success', response: fitting });
    if (subtype === 'interrupt') interrupt();
  };
  const hear = (line: string): void => {
    const record = parseObject(line);
    if (record === null || stopped) return;
    const { type, uuid } = record;
    if (type === 'user' && typeof uuid === 'string') waiting.push({ uuid, text: contentOf(record) });
    if (type === 'control_request' && !deaf) control(record['request_id'], objectIn(record['request']));
    if (type === 'control_response') requests.answered(objectIn(record['response']));
    wake();
  };
  const splitter = createLineSplitter(0);
  process.stdin.on('data', (chunk: Buffer) => {
    for (const { text } of splitter.push(chunk)) hear(text);
  });
  process.stdin.on('end', () => {
    ended ??= 'closed';
    requests.close();
    wake();
  });
  return {
    waiting,
    hooks,
    get ended() {
      return deaf ? null : ended;
    },
    deafen() {
      deaf = true;
    },
    stop() {
      deaf = true;
      stopped = true;
    },
    news: () => news,
    ring: wake,
    ask: requests.ask,
  };
}

/** Immediate answers to the host, by its request. */
const answers: Readonly<Record<string, Json>> = {
  initialize: { commands: [], agents: [], models: [] },
  interrupt: {},
  end_session: {},
  get_binary_version: { version: 'scripted' },
  get_usage: { session: {} },
};

function hooksIn(request: Json): Hook[] {
  return Object.entries(objectIn(request['hooks'])).flatMap(([event, list]) =>
    listIn(list).flatMap((hook) => {
      const { matcher, hookCallbackIds } = objectIn(hook);
      return listIn(hookCallbackIds).map((id) => ({ event, matcher: textIn(matcher), callback: textIn(id) }));
    }),
  );
}

function contentOf(record: Json): string {
  const { content } = objectIn(record['message']);
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}
