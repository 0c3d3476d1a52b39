// The route of the teams of a run.

import type { RunId } from '../../model/core/ids.ts';
import { Fault } from '../../std/fault.ts';
import type { Routes } from '../http/http.ts';
import { viewTeams } from '../views/team-view.ts';
import type { Served } from './route-context.ts';

export function teamRoutes({ engine }: Served): Routes {
  return {
    'GET /runs/{runId}/teams': ({ params }) => {
      const runId = params['runId'] as RunId;
      return engine.lookRun(runId, (run, { host }) => {
        if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
        return { runId, teams: viewTeams(run, host, Date.now()) };
      });
    },
  };
}
