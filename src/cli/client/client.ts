// HTTP client of the daemon over its socket. Starts a daemon if none answers, and repeats the request if one died: every
// request may be repeated, because the client chooses the ids of what it creates.

import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault, faultCodes } from '../../std/fault.ts';
import { errnoOf } from '../../std/files.ts';
import type { Shape } from '../../wire/answer-shape.ts';
import { problem } from '../../wire/views.ts';
import type { Place } from './context.ts';
import { startDaemon } from './start-daemon.ts';

export interface Client {
  get<T>(path: string, shape: Shape<T>): Promise<T>;
  post<T>(path: string, body: object, shape: Shape<T>): Promise<T>;
  /** A streaming response. Reading it throws `DaemonGone` if it breaks. */
  open(path: string, signal: AbortSignal): Promise<IncomingMessage>;
  /** Starts a daemon if none answers. true: it had to be started. */
  ensure(): Promise<boolean>;
  /** Never starts a daemon; null if none is running. */
  getIfUp<T>(path: string, shape: Shape<T>): Promise<T | null>;
}

/** The connection broke, or no daemon is running. */
export class DaemonGone extends Error {
  override readonly name = 'DaemonGone';
}

/** The daemon refused the request. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

const tries = 5;
const answerMaxMs = 30_000;
const appearMaxMs = 30_000;
const appearPauseMs = 25;

export function createClient(place: Place, mainFile: string): Client {
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let n = 1; ; n++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DaemonGone) || n === tries) throw unreachable(error, place);
      }
      await ensure();
    }
  };
  const ensure = async (): Promise<boolean> => {
    if (await answers(place)) return false;
    const outcome = await startDaemon(place, mainFile);
    if (outcome.kind === 'failed') throw outcome.fault;
    await appear(place);
    return outcome.kind === 'ready';
  };
  return {
    get: (path, shape) => ask(async () => understood(shape, await json(place, 'GET', path, null))),
    post: (path, body, shape) => ask(async () => understood(shape, await json(place, 'POST', path, body))),
    open: (path, signal) => ask(() => opened(place, path, signal)),
    ensure,
    async getIfUp(path, shape) {
      try {
        return understood(shape, await json(place, 'GET', path, null));
      } catch (error) {
        if (error instanceof DaemonGone) return null;
        throw error;
      }
    },
  };
}

/** A daemon of another version may send what this program does not know. */
function understood<T>(shape: Shape<T>, value: unknown): T {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const { path, message } = read.error;
  throw new Fault(
    'daemon_unreachable',
    `the daemon has another version and sent an answer that this one does not understand ` +
      `(${path.join('.')}: ${message}): stop it with "signalbox down" and try again; agents continue meanwhile`,
  );
}

async function answers(place: Place): Promise<boolean> {
  return json(place, 'GET', '/status', null).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DaemonGone) return false;
      throw error;
    },
  );
}

/** Waits for a daemon that is starting. */
async function appear(place: Place): Promise<void> {
  const deadline = performance.now() + appearMaxMs;
  while (!(await answers(place))) {
    if (performance.now() > deadline) {
      throw new Fault(
        'daemon_unreachable',
        `a daemon holds ${place.home} but does not answer at ${place.socketPath}: end the process named in ` +
          `${place.home}/daemon.json and try again; agents continue meanwhile`,
      );
    }
    await delay(appearPauseMs);
  }
}

async function json(place: Place, method: string, path: string, body: object | null): Promise<unknown> {
  const response = await exchange(place, method, path, body, AbortSignal.timeout(answerMaxMs));
  const text = await textOf(response);
  const value: unknown = parse(text);
  if (response.statusCode === 200) return value;
  throw faultOf(value);
}

async function opened(place: Place, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const response = await exchange(place, 'GET', path, null, signal);
  if (response.statusCode === 200) return response;
  throw faultOf(parse(await textOf(response)));
}

function faultOf(value: unknown): Error {
  const told = problem.safeParse(value);
  if (!told.success) return new DaemonGone('the answer is not valid');
  const { code, message } = told.data.error;
  // It is shutting down: the next request starts another.
  if (code === 'store_closed') return new DaemonGone(message);
  const known = faultCodes.find((each) => each === code);
  return known === undefined ? new Declined(message) : new Fault(known, message);
}

function exchange(
  { socketPath }: Place,
  method: string,
  path: string,
  body: object | null,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const text = body === null ? '' : JSON.stringify(body);
  const headers =
    body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  // Connects directly: Node's HTTP agent would first resolve "localhost", which takes a tenth of the time of `ps`.
  const createConnection = (): Socket => connect(socketPath);
  return new Promise((resolve, reject) => {
    const asked = request({ createConnection, method, path, headers, signal }, resolve);
    asked.once('error', (error) =>
      reject(timedOut(signal) ? new Fault('daemon_unreachable', silent, { cause: error }) : gone(error)),
    );
    asked.end(text);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw gone(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function gone(error: unknown): unknown {
  const code = errnoOf(error);
  if (code !== undefined && goneCodes.has(code)) return new DaemonGone(code, { cause: error });
  if (code === 'EACCES')
    return new Fault('read_only', 'no permission to use the daemon socket: it belongs to another user', {
      cause: error,
    });
  return error;
}

const silent =
  'the daemon is running but does not answer: see daemon.log in its home, or end it and try again; agents continue';

function timedOut(signal: AbortSignal): boolean {
  return signal.aborted && (signal.reason as Error | undefined)?.name === 'TimeoutError';
}

const goneCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTSOCK', 'ENOTDIR', 'ECONNABORTED']);

function unreachable(error: unknown, { home }: Place): unknown {
  if (error instanceof DaemonGone) {
    return new Fault('daemon_unreachable', `the daemon keeps exiting: see ${home}/daemon.log`, { cause: error });
  }
  return error;
}
