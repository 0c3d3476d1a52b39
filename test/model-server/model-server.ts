// A scripted model on loopback: one script, over every API that real agents speak (`apis`). Which script it acts out
// shows in the conversation itself, never in the number of requests: agents repeat them as they like.
//
// An agent is told apart by the marker in its prompt: `act('alpha1', steps)` answers whoever was told `alpha1`, and not who
// only wrote it to others or read it in the result of a tool. Steps may give the use of the next answer (`usage`), refuse
// it with a status so many times for each session (`refuse`, with `retryAfter` in seconds, and a status of null for a
// broken connection), or leave it out (`hang`). What one account meets on all its agents is `refuseAll`. `requests` tells
// who asked when, how much and what, and what it was answered.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { messagesApi } from './messages-api.ts';
import { type Asked, type ModelApi, type RequestBody, sendJson, textHeader } from './model-api.ts';
import { responsesApi } from './responses-api.ts';
import {
  type Answer,
  type AnswerUsage,
  answerIn,
  answersOf,
  emptyAnswer,
  type ModelStep,
  positionIn,
  type Refusal,
  refusalOf,
} from './script.ts';

export type { RequestBody } from './model-api.ts';

const apis: readonly ModelApi[] = [messagesApi, responsesApi];

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** From now on a conversation whose newest marker is this one gets these answers. The marker is one word. */
  act(marker: string, steps: readonly ModelStep[]): void;
  /** From now on every request is refused like this, so many times in all; null = no longer. */
  refuseAll(refusal: (Partial<Refusal> & Pick<Refusal, 'status'>) | null): void;
  /** From now on a request uses a token for each four bytes of it, and one of more than this is too long; null = no longer. */
  limitWindow(tokens: number | null): void;
  close(): Promise<void>;
}

export interface ModelRequest extends Asked {
  readonly method: string;
  readonly path: string;
  /** What the caller was let in with. */
  readonly credential: string | null;
  readonly body: RequestBody;
  /** Bytes of its body. */
  readonly bytes: number;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** What it was answered with; null = nothing yet, or a broken connection. */
  status: number | null;
  /** What the answer said that it used; null = no answer. */
  used: AnswerUsage | null;
}

export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, readonly Answer[]>();
  const requests: ModelRequest[] = [];
  const refusals = new Map<string, number>();
  const closing = new AbortController();
  let general: { refusal: Refusal; left: number } | null = null;
  let window: number | null = null;

  const choose = (request: ModelRequest): { answer: Answer; key: string } => {
    const { conversation, session } = request;
    if (request.isSummary) {
      return { answer: emptyAnswer('<summary>All went well.</summary>'), key: 'summary' };
    }
    const told = request.told.join('\n');
    const markers = [...scripts.keys()].map((marker) => ({ marker, at: told.lastIndexOf(marker) }));
    const newest = markers.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at)[0]?.marker;
    const answers = newest === undefined ? undefined : scripts.get(newest);
    if (newest === undefined || answers === undefined) return { answer: emptyAnswer('Noted.'), key: 'none' };
    const position = positionIn(newest, conversation);
    return { answer: answers[position] ?? emptyAnswer('Noted.'), key: `${session}/${newest}/${position}` };
  };

  const respond = async (api: ModelApi, request: ModelRequest, response: ServerResponse): Promise<void> => {
    const refuse = (refusal: Refusal): void => sendRefusal(api, request, response, refusal);
    if (general !== null && general.left > 0) {
      general.left -= 1;
      return refuse(general.refusal);
    }
    const { answer, key } = choose(request);
    if (answer.waitMs > 0) await delay(answer.waitMs, undefined, { signal: closing.signal });
    const refused = refusals.get(key) ?? 0;
    if (answer.refusal !== null && refused < answer.refusal.times) {
      refusals.set(key, refused + 1);
      return refuse(answer.refusal);
    }
    if (answer.hang === true) return;
    const tokens = Math.ceil(request.bytes / 4);
    if (window !== null && tokens > window) {
      const message = `prompt is too long: ${tokens} tokens > ${window} maximum`;
      return refuse(refusalOf({ status: 400, message }));
    }
    request.status = 200;
    request.used = window === null ? answer.usage : { ...answer.usage, input_tokens: tokens };
    api.send(response, { ...answerIn(request, answer), usage: request.used }, request.body);
  };

  const server = createServer((incoming, response) => {
    void readRequest(incoming)
      .then(async ({ api, request }) => {
        requests.push(request);
        if (request.path.includes('/count_tokens')) return sendJson(response, 200, { input_tokens: 10 });
        if (api !== null) return respond(api, request, response);
        return sendJson(response, request.method === 'HEAD' ? 200 : 404, {});
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    act: (marker, steps) => void scripts.set(marker, answersOf(marker, steps)),
    refuseAll(given) {
      const refusal = given === null ? null : refusalOf(given);
      general = refusal === null ? null : { refusal, left: refusal.times };
    },
    limitWindow: (tokens) => void (window = tokens),
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<{ api: ModelApi | null; request: ModelRequest }> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const body = (text === '' ? {} : JSON.parse(text)) as RequestBody;
  const { method = '', url: path = '', headers } = incoming;
  const api = method === 'POST' ? (apis.find(({ serves }) => serves(path)) ?? null) : null;
  const credential = textHeader(headers, 'x-api-key') ?? headers.authorization?.replace(/^Bearer /, '') ?? null;
  const asked = api?.read(body, headers, path) ?? nothingAsked;
  const bytes = Buffer.byteLength(text);
  return {
    api,
    request: { ...asked, method, path, credential, body, bytes, at: Date.now(), status: null, used: null },
  };
}

const nothingAsked: Asked = { session: null, conversation: '[]', told: [], tools: [], isSummary: false };

function sendRefusal(api: ModelApi, request: ModelRequest, response: ServerResponse, refusal: Refusal): void {
  const { status, retryAfter } = refusal;
  request.status = status;
  if (status === null) {
    response.destroy();
    return;
  }
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': `${retryAfter}` };
  sendJson(response, status, api.error(status, refusal), headers);
}
