// A scripted model on loopback: the Messages API, as far as the real Claude Code CLI needs it. Which script it acts out
// shows in the conversation itself, never in the number of requests: the CLI repeats them as it likes.
//
// An agent is told apart by the marker in its prompt: `act('alpha1', steps)` answers whoever was told `alpha1`, and not who
// only wrote it to others or read it in the result of a tool. Steps may give the use of the next answer (`usage`), refuse
// it with a status so many times for each session (`refuse`, with `retryAfter` in seconds, and a status of null for a
// broken connection), or leave it out (`hang`). What one account meets on all its agents is `refuseAll`. `requests` tells
// who asked when, how much and what, and what it was answered.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sendMessage } from './messages-api.ts';
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

export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly session: string | null;
  /** What the caller was let in with. */
  readonly credential: string | null;
  readonly body: RequestBody;
  /** Bytes of its body. */
  readonly bytes: number;
  /** Everything that was said in it, tool results and all. */
  readonly conversation: string;
  /** What the model was told in it, text by text: prompts, mail, reminders. Neither its own words nor results of tools. */
  readonly told: readonly string[];
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** What it was answered with; null = nothing yet, or a broken connection. */
  status: number | null;
  /** What the answer said that it used; null = no answer. */
  used: AnswerUsage | null;
}

export interface RequestBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
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
    if (/Your task is to create a detailed summary/.test(lastText(request.body))) {
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

  const respond = async (request: ModelRequest, response: ServerResponse): Promise<void> => {
    if (general !== null && general.left > 0) {
      general.left -= 1;
      return sendRefusal(request, response, general.refusal);
    }
    const { answer, key } = choose(request);
    if (answer.waitMs > 0) await delay(answer.waitMs, undefined, { signal: closing.signal });
    const refused = refusals.get(key) ?? 0;
    if (answer.refusal !== null && refused < answer.refusal.times) {
      refusals.set(key, refused + 1);
      return sendRefusal(request, response, answer.refusal);
    }
    if (answer.hang === true) return;
    const tokens = Math.ceil(request.bytes / 4);
    if (window !== null && tokens > window) {
      const message = `prompt is too long: ${tokens} tokens > ${window} maximum`;
      return sendRefusal(request, response, refusalOf({ status: 400, message }));
    }
    request.status = 200;
    request.used = window === null ? answer.usage : { ...answer.usage, input_tokens: tokens };
    sendMessage(response, { ...answerIn(request, answer), usage: request.used }, request.body);
  };

  const server = createServer((incoming, response) => {
    void readRequest(incoming)
      .then(async (request) => {
        requests.push(request);
        if (request.path.includes('/count_tokens')) return sendJson(response, 200, { input_tokens: 10 });
        if (request.path.startsWith('/v1/messages')) return respond(request, response);
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

async function readRequest(incoming: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const body = (text === '' ? {} : JSON.parse(text)) as RequestBody;
  const session = incoming.headers['x-claude-code-session-id'];
  const { 'x-api-key': key, authorization } = incoming.headers;
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    session: typeof session === 'string' ? session : null,
    credential: typeof key === 'string' ? key : (authorization?.replace(/^Bearer /, '') ?? null),
    body,
    bytes: Buffer.byteLength(text),
    conversation: JSON.stringify(body.messages ?? []),
    told: textsToldIn(body),
    at: Date.now(),
    status: null,
    used: null,
  };
}

function textsToldIn({ messages = [] }: RequestBody): string[] {
  return messages.flatMap(({ role, content }) => {
    if (role === 'assistant') return [];
    if (typeof content === 'string') return [content];
    return (content as readonly { readonly text?: string }[]).flatMap(({ text }) => (text === undefined ? [] : [text]));
  });
}

function lastText(body: RequestBody): string {
  return JSON.stringify(body.messages?.at(-1)?.content ?? '');
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function sendRefusal(request: ModelRequest, response: ServerResponse, { status, message, retryAfter }: Refusal): void {
  request.status = status;
  if (status === null) {
    response.destroy();
    return;
  }
  const error = { type: errorTypes[status] ?? 'api_error', message };
  sendJson(response, status, { type: 'error', error }, retryAfter === null ? {} : { 'retry-after': `${retryAfter}` });
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
