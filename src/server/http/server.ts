// Serves the routes on a socket that only its owner can open. The caller holds the owner's lock of the home, so an existing
// socket file is stale and may be removed.

import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { diskFault } from '../../std/files.ts';
import type { DaemonLog } from './daemon-log.ts';
import { findRoute, problemOf, type Routes, sendJson } from './http.ts';

export interface HttpServer {
  /** Accepts no more requests, lets open streams send their farewell, and removes the socket. */
  close(): Promise<void>;
}

export interface HttpOptions {
  readonly socketPath: string;
  readonly routes: Routes;
  readonly log: DaemonLog;
}

const goodbyeMs = 500;

export async function serve({ socketPath, routes, log }: HttpOptions): Promise<HttpServer> {
  const server = createServer((request, response) => {
    // Every failure is answered inside.
    void answer(routes, request, response, log);
  });
  // A client that disconnects in the middle is no error.
  server.on('clientError', (_error, socket) => socket.destroy());
  try {
    await rm(socketPath, { force: true });
    await listen(server, socketPath);
    await chmod(socketPath, 0o600);
  } catch (error) {
    throw diskFault(error, socketPath);
  }
  return {
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      const late = setTimeout(() => server.closeAllConnections(), goodbyeMs);
      server.closeIdleConnections();
      await closed;
      clearTimeout(late);
    },
  };
}

async function answer(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  log: DaemonLog,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the client is gone')));
  response.on('error', () => undefined);
  const { method = '', url = '' } = request;
  try {
    const { pathname, searchParams } = new URL(url, 'http://daemon');
    const { handler, params } = findRoute(routes, method, pathname);
    const body = await handler({ request, response, params, query: searchParams, signal: gone.signal });
    if (body !== null) sendJson(response, 200, body);
  } catch (error) {
    if (gone.signal.aborted) return;
    const problem = problemOf(error);
    if (problem === null) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error('request failed', { method, url, error: stack });
    }
    // Too late for a status: the client sees a broken answer and retries.
    if (response.headersSent) return void response.destroy();
    const { status, code, message } = problem ?? { status: 500, code: 'internal', message: 'the daemon has a bug' };
    sendJson(response, status, { error: { code, message } });
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
