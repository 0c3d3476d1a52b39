// The routes of the daemon: each parses the request, asks the engine and returns a view. Keeps no state.

import type { AttemptId, RunId } from '../../model/core/ids.ts';
import { sceneOf } from '../../model/parking/admit.ts';
import { Fault } from '../../std/fault.ts';
import type { StatusView } from '../../wire/status-views.ts';
import { countOf, streamEvents } from '../http/event-stream.ts';
import type { Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import { viewAccounts } from '../views/account-view.ts';
import { exportArtifact, listArtifacts, readArtifact } from '../views/artifact-list.ts';
import { sendCheckLog } from '../views/check-log.ts';
import { createRuns, type Runs } from '../views/find-runs.ts';
import { lineageOf } from '../views/lineage.ts';
import { listMessages, readMessage } from '../views/message-list.ts';
import { viewTeams } from '../views/team-view.ts';
import { reportUsage, usageKindOf } from '../views/usage-report.ts';
import { askRoutes } from './ask-routes.ts';
import { listAgents } from './available-agents.ts';
import { createBudgetOrders } from './budget-orders.ts';
import { budgetRoutes } from './budget-routes.ts';
import { createRun } from './create-run.ts';
import { landingRoutes } from './landing-routes.ts';
import { limitRoutes } from './limit-routes.ts';
import { pauseRoutes } from './pause-routes.ts';
import { requireFitFor, sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';
import { spaceRoutes } from './space-routes.ts';
import { taskRoutes } from './task-routes.ts';

const listMax = 50;

export function createRoutes(served: Served): Routes {
  const { engine, journal } = served;
  const runs = createRuns(engine, journal, served);
  const budgets = createBudgetOrders(engine);
  return {
    'GET /status': () => status(served),
    'GET /agents': ({ query }) => listAgents(served, query.get('repo')),
    'GET /logins': async () => ({ logins: served.logins() }),
    'GET /find': ({ query }) => {
      const repo = query.get('newestIn');
      return repo === null ? runs.find(query.get('word') ?? '') : runs.newestIn(repo);
    },
    'GET /runs': ({ query }) => {
      const limit = countOf(query.get('limit')) || listMax;
      const page = countOf(query.get('page'));
      if (page > 0) return runs.page({ repo: query.get('repo'), page, size: limit });
      return runs.list({ ended: query.get('all') === '1', limit });
    },
    'POST /runs': async (exchange) =>
      createRun(served, runs, await readRequest(exchange, ({ createRun }) => createRun), exchange.signal),
    'GET /runs/{runId}': ({ params }) => runs.view(params['runId'] as RunId),
    'GET /runs/{runId}/events': (exchange) => streamEvents(served, exchange, exchange.params['runId'] as RunId),
    'POST /runs/{runId}/stop': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const runId = exchange.params['runId'] as RunId;
      // Stopping a stopping run again is no error.
      if ((await runs.view(runId)).state !== 'stopping') await sendOrder(engine, runId, { type: 'stopRun', by });
      return { accepted: true };
    },
    'POST /runs/{runId}/resume': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const runId = exchange.params['runId'] as RunId;
      await requireFitFor(served, runId, null);
      await sendOrder(engine, runId, { type: 'resumeRun', by });
      return { accepted: true };
    },
    'GET /usage': ({ query }) => {
      const runId = query.get('run') as RunId | null;
      return reportUsage(served, { runId, by: usageKindOf(query.get('by'), runId) }, Date.now());
    },
    ...askRoutes(served, runs, budgets),
    ...taskRoutes(served, runs),
    ...budgetRoutes(served, budgets),
    ...limitRoutes(served),
    ...pauseRoutes(served),
    'GET /checks/{log}': (exchange) => sendCheckLog(served, exchange),
    ...artifactRoutes(served, runs),
    ...agentRoutes(served),
    ...landingRoutes(served, runs),
    ...spaceRoutes(served),
    'POST /down': async () => {
      served.leave();
      return { accepted: true };
    },
  };
}

/** Artifacts, and where integrated work comes from. */
function artifactRoutes(served: Served, runs: Runs): Routes {
  return {
    'GET /runs/{runId}/artifacts': ({ params, query }) =>
      listArtifacts(served, params['runId'] as RunId, { task: query.get('task'), kind: query.get('kind') }),
    'GET /artifact': ({ query }) => readArtifact(served, runs, query.get('word') ?? '', query.get('kind')),
    'GET /artifact/export': ({ query }) => exportArtifact(served, runs, query.get('word') ?? '', query.get('kind')),
    'GET /attempts/{attemptId}/lineage': ({ params }) => lineageOf(served, runs, params['attemptId'] as AttemptId),
  };
}

/** Messages and teams of the agents of a run. */
function agentRoutes(served: Served): Routes {
  return {
    'GET /runs/{runId}/messages': ({ params, query }) =>
      listMessages(served, params['runId'] as RunId, query.get('dead') !== null),
    'GET /runs/{runId}/messages/{message}': ({ params }) =>
      readMessage(served, params['runId'] as RunId, params['message'] ?? ''),
    'GET /runs/{runId}/teams': ({ params }) => {
      const runId = params['runId'] as RunId;
      return served.engine.lookRun(runId, (run, { host, runs }) => {
        if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
        return { runId, teams: viewTeams(run, sceneOf(host, runs.values(), Date.now())) };
      });
    },
  };
}

async function status({ engine, about, prices }: Served): Promise<StatusView> {
  const now = Date.now();
  const { slots, openRuns, closed, paused } = await engine.look(({ host, runs }) => ({
    closed: viewAccounts(host, now).closed,
    paused: host.paused === null ? null : { by: host.paused.by, since: host.paused.at },
    slots: { all: host.slots, taken: host.held.size },
    openRuns: Array.from(runs.values()).filter((run) => run.state !== 'ended').length,
  }));
  const { trouble, quarantined, frozen } = engine.status;
  return {
    ...about,
    slots,
    openRuns,
    prices: prices(),
    closed,
    paused,
    frozen,
    trouble: trouble === null ? null : { code: trouble.code, message: trouble.message },
    quarantined: Array.from(quarantined, ([stream, fault]) => ({ stream, reason: fault.message })),
  };
}
