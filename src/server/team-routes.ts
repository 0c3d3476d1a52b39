// What the daemon answers about the teams of a run.

import type { RunId } from '../model/ids.ts';
import { Fault } from '../std/fault.ts';
import type { Routes } from './http.ts';
import type { Served } from './served.ts';
import { viewTeams } from './view-teams.ts';

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
