// What the daemon answers about the messages of a run.

import type { RunId } from '../../model/core/ids.ts';
import type { Routes } from '../http/http.ts';
import { listMessages, readMessage } from '../views/message-list.ts';
import type { Served } from './route-context.ts';

export function messageRoutes(served: Served): Routes {
  return {
    'GET /runs/{runId}/messages': ({ params, query }) =>
      listMessages(served, params['runId'] as RunId, query.get('dead') !== null),
    'GET /runs/{runId}/messages/{message}': ({ params }) =>
      readMessage(served, params['runId'] as RunId, params['message'] ?? ''),
  };
}
