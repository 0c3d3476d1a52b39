// Generic HTTP: routing, bounded bodies, errors as JSON. Knows nothing of what is served.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, type FaultCode } from '../../std/fault.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Values of the path parts in braces. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Fires when the client disconnects or the daemon exits. */
  readonly signal: AbortSignal;
}

/** Returns the answer as JSON; null = the handler wrote the response itself. */
export type Handler = (exchange: Exchange) => Promise<object | null>;

/** A request that the engine refused. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** `GET /runs/{runId}`; a `{name}` stands for one part of the path. */
export type Routes = Readonly<Record<string, Handler>>;

export function findRoute(
  routes: Routes,
  method: string,
  path: string,
): { handler: Handler; params: Record<string, string> } {
  const parts = path.split('/');
  let pathKnown = false;
  for (const [route, handler] of Object.entries(routes)) {
    const [routeMethod, pattern = ''] = route.split(' ');
    const params = match(pattern.split('/'), parts);
    if (params === null) continue;
    if (routeMethod === method) return { handler, params };
    pathKnown = true;
  }
  throw new Fault('not_found', pathKnown ? `${path} does not support ${method}` : `unknown path ${path}`);
}

export async function readJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new Fault('bad_request', `the request is too large: at most ${bytesMax} bytes are allowed`);
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new Fault('bad_request', `the request is not JSON: ${(cause as Error).message}`, { cause });
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** null: a bug, to be logged and reported as one. */
export function problemOf(error: unknown): { status: number; code: string; message: string } | null {
  if (error instanceof Refused) return { status: 409, code: 'not_allowed', message: error.message };
  if (!(error instanceof Fault)) return null;
  return { status: statuses[error.code] ?? 500, code: error.code, message: error.message };
}

const statuses: Partial<Record<FaultCode, number>> = {
  agent_unusable: 422,
  bad_request: 400,
  not_a_repository: 422,
  not_found: 404,
  store_closed: 503,
  too_busy: 503,
  disk_full: 507,
};

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [i, expected] of pattern.entries()) {
    const part = parts[i] ?? '';
    if (!expected.startsWith('{')) {
      if (part !== expected) return null;
      continue;
    }
    const value = decoded(part);
    if (value === null || value === '') return null;
    params[expected.slice(1, -1)] = value;
  }
  return params;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
