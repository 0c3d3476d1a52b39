// What one model API needs so that scripts are acted out over it: which requests are its, what was said in one, and how an answer is
// written. A further API is one file that exports a `ModelApi`, and a line in the server's list.

import type { ServerResponse } from 'node:http';
import type { Refusal, SpokenAnswer } from './script.ts';

export interface ModelApi {
  /** By the path of a POST. */
  serves(path: string): boolean;
  read(body: RequestBody, headers: Headers, path: string): Asked;
  send(response: ServerResponse, answer: SpokenAnswer, body: RequestBody): void;
  /** The body of an HTTP error. */
  error(status: number, refusal: Refusal): unknown;
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One request, as far as a script depends on it. */
export interface Asked {
  /** Who asks, if the agent says so: the same over all requests of its session. */
  readonly session: string | null;
  /** Everything that was said, tool results and all, as JSON. */
  readonly conversation: string;
  /** What the model was told, text by text: prompts, messages, reminders. Neither its own words nor results of tools. */
  readonly told: readonly string[];
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
  /** The agent wants its conversation summed up, to go on with less. */
  readonly isSummary: boolean;
}

/** The parts of bodies that tests look at; which are there depends on the API. */
export interface RequestBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  /** Messages. */
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  /** Responses. */
  readonly input?: readonly InputItem[];
  readonly instructions?: string;
  readonly text?: { readonly format?: { readonly type: string; readonly schema?: unknown } };
  readonly prompt_cache_key?: string;
}

export interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly tools?: readonly NamedTool[];
}

export interface NamedTool {
  readonly type?: string;
  readonly name?: string;
  /** Of a namespace. */
  readonly tools?: readonly NamedTool[];
}

export function textHeader(headers: Headers, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/** Server-sent events: without the line that names it an event does not count. */
export function openEvents(response: ServerResponse): (type: string, data: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (type, data) => void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
