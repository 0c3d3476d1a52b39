// Routes of limits on agents spawned by agents: views, and orders that set them.

import type { ChildLimits } from '../../model/core/child-limits.ts';
import type { RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import type { LimitList } from '../../wire/children-views.ts';
import type { Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import { viewLimits } from '../views/children-view.ts';
import { sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';

export function limitRoutes({ engine }: Served): Routes {
  const list = (runId: RunId): Promise<LimitList> =>
    engine.lookRun(runId, (run) => ({ limits: viewLimits(known(run)) }));
  const known = (run: Run | null): Run => {
    if (run === null) throw new Fault('not_found', 'there is no such run');
    return run;
  };
  return {
    'GET /runs/{runId}/limits': ({ params }) => list(params['runId'] as RunId),
    'POST /runs/{runId}/limits': async (exchange) => {
      const { set, by } = await readRequest(exchange, ({ setLimits }) => setLimits);
      const runId = exchange.params['runId'] as RunId;
      await sendOrder(engine, runId, { type: 'setLimits', limits: defined(set) satisfies Partial<ChildLimits>, by });
      return list(runId);
    },
  };
}
