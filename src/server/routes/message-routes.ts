// What the daemon answers about the letters of a run.

import type { RunId } from '../../model/ids.ts';
import type { Routes } from '../http/http.ts';
import { listMail, readLetter } from '../views/message-list.ts';
import type { Served } from './route-context.ts';

export function mailRoutes(served: Served): Routes {
  return {
    'GET /runs/{runId}/mail': ({ params, query }) =>
      listMail(served, params['runId'] as RunId, query.get('dead') !== null),
    'GET /runs/{runId}/mail/{letter}': ({ params }) =>
      readLetter(served, params['runId'] as RunId, params['letter'] ?? ''),
  };
}
