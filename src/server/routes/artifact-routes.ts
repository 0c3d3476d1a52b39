// What the daemon answers about artifacts and where integrated work comes from.

import type { AttemptId, RunId } from '../../model/core/ids.ts';
import type { Routes } from '../http/http.ts';
import { exportArtifact, listArtifacts, readArtifact } from '../views/artifact-list.ts';
import type { Runs } from '../views/find-runs.ts';
import { lineageOf } from '../views/lineage.ts';
import type { Served } from './route-context.ts';

export function artifactRoutes(served: Served, runs: Runs): Routes {
  return {
    'GET /runs/{runId}/artifacts': ({ params, query }) =>
      listArtifacts(served, params['runId'] as RunId, { task: query.get('task'), kind: query.get('kind') }),
    'GET /artifact': ({ query }) => readArtifact(served, runs, query.get('word') ?? '', query.get('kind')),
    'GET /artifact/export': ({ query }) => exportArtifact(served, runs, query.get('word') ?? '', query.get('kind')),
    'GET /attempts/{attemptId}/lineage': ({ params }) => lineageOf(served, runs, params['attemptId'] as AttemptId),
  };
}
