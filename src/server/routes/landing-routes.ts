// The routes of a landing.

import { landOrder } from '../../engine/effects/land-effect.ts';
import type { RunId } from '../../model/core/ids.ts';
import { hasIntegrated } from '../../model/land/landing-due.ts';
import { tasksToLand } from '../../model/land/landing-tasks.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import type { Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import type { Runs } from '../views/find-runs.ts';
import { sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';

export function landingRoutes(served: Served, runs: Runs): Routes {
  return {
    'POST /runs/{runId}/land': async (exchange) => {
      const asked = await readRequest(exchange, ({ land }) => land);
      const runId = exchange.params['runId'] as RunId;
      if (asked.into !== null) {
        const { repo } = await runs.view(runId);
        await requireTarget(served, repo.path, asked.into, exchange.signal);
      }
      const { into, checkout: mayMoveCheckout, openPr, task, history, by } = asked;
      const how = defined({ task, history: history && defined(history) });
      await sendOrder(served.engine, runId, { type: 'land', into, mayMoveCheckout, openPr, ...how, by });
      return { accepted: true };
    },
    'POST /runs/{runId}/land/preview': async (exchange) => {
      const { into, task, history } = await readRequest(exchange, ({ land }) => land);
      const order = await served.engine.lookRun(exchange.params['runId'] as RunId, (run) => {
        const chosen = run === null || task === undefined ? {} : tasksToLand(run, task);
        if (run === null || typeof chosen === 'string' || !hasIntegrated(run)) return null;
        const how = defined({ history: history && defined(history) });
        const asked = { n: (run.landing?.n ?? 0) + 1, into, mayMoveCheckout: false, openPr: false, ...chosen, ...how };
        return { ...landOrder(run, { ...asked, askedAt: Date.now() }, true), trailers: [] };
      });
      return { preview: order === null ? null : await served.previewLanding(order, exchange.signal) };
    },
  };
}

/** A branch that cannot be landed in is refused before any work is done. */
export async function requireTarget(served: Served, repo: string, into: string, signal: AbortSignal): Promise<void> {
  const flaw = await served.flawOfTarget(repo, into, signal);
  if (flaw !== null) throw new Fault('bad_request', flaw);
}
