// A scripted model on loopback: the Messages API, as far as the real Claude Code CLI needs it. Which script it acts out
// shows in the conversation itself, never in the number of requests: the CLI repeats them as it likes.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sendMessage } from './messages-api.ts';
import { type Answer, answerIn, answersOf, emptyAnswer, type ModelStep, positionIn } from './script.ts';

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** From now on a conversation whose newest marker is this one gets these answers. The marker is one word. */
  act(marker: string, steps: readonly ModelStep[]): void;
  close(): Promise<void>;
}

export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly session: string | null;
  /** What the caller was let in with. */
  readonly credential: string | null;
  readonly body: RequestBody;
  /** Everything that was said in it, tool results and all. */
  readonly conversation: string;
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

  const choose = (request: ModelRequest): { answer: Answer; key: string } => {
    const { conversation, session } = request;
    if (/Your task is to create a detailed summary/.test(lastText(request.body))) {
      return { answer: emptyAnswer('<summary>All went well.</summary>'), key: 'summary' };
    }
    const markers = [...scripts.keys()].map((marker) => ({ marker, at: conversation.lastIndexOf(marker) }));
    const newest = markers.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at)[0]?.marker;
    const answers = newest === undefined ? undefined : scripts.get(newest);
    if (newest === undefined || answers === undefined) return { answer: emptyAnswer('Noted.'), key: 'none' };
    const position = positionIn(newest, conversation);
    return { answer: answers[position] ?? emptyAnswer('Noted.'), key: `${session}/${newest}/${position}` };
  };

  const respond = async (request: ModelRequest, response: ServerResponse): Promise<void> => {
    const { answer, key } = choose(request);
    if (answer.waitMs > 0) await delay(answer.waitMs, undefined, { signal: closing.signal });
    const refused = refusals.get(key) ?? 0;
    if (answer.refusal !== null && refused < answer.refusal.times) {
      refusals.set(key, refused + 1);
      return sendError(response, answer.refusal.status, answer.refusal.message);
    }
    if (answer.hang === true) return;
    sendMessage(response, answerIn(request.conversation, answer), request.body);
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
    conversation: JSON.stringify(body.messages ?? []),
  };
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

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
