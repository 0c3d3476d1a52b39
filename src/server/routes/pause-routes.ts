// Routes by which a person lets agents wait or go on: pauses, of all on this host or of a run, and limits that agents reported.

import type { RunId } from '../../model/core/ids.ts';
import { type Exchange, Refused, type Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import { sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';

export function pauseRoutes({ engine }: Pick<Served, 'engine'>): Routes {
  const byOf = async (exchange: Exchange): Promise<string> => (await readRequest(exchange, ({ order }) => order)).by;
  return {
    'POST /pause': async (exchange) => {
      await engine.pauseAll(await byOf(exchange));
      return { accepted: true };
    },
    'POST /unpause': async (exchange) => {
      const by = await byOf(exchange);
      const { all, runs } = await engine.look(({ host, runs: open }) => ({
        all: host.paused,
        runs: [...open.values()].flatMap(({ spec, pauses }) => (pauses.run === null ? [] : [spec?.name ?? ''])),
      }));
      if (all === null && runs.length > 0)
        throw new Refused(`not all agents are paused, only runs: signalbox unpause ${runs.join(', ')}`);
      if (all === null) throw new Refused('nothing is paused');
      await engine.unpauseAll(by);
      return { accepted: true };
    },
    'POST /accounts/{account}/clear': async (exchange) => {
      const by = await byOf(exchange);
      const account = exchange.params['account'] ?? '';
      const names = await engine.look(({ host }) =>
        Object.keys(host.lines).filter((name) => name === account || name.startsWith(`${account}:`)),
      );
      if (names.length === 0) throw new Refused(`no agent has reported a limit of account ${account}`);
      for (const name of names) await engine.clearLine(name, by);
      return { accepted: true };
    },
    'POST /runs/{runId}/pause': async (exchange) => {
      const by = await byOf(exchange);
      await sendOrder(engine, exchange.params['runId'] as RunId, { type: 'pauseRun', of: 'run', by });
      return { accepted: true };
    },
    'POST /runs/{runId}/unpause': async (exchange) => {
      const by = await byOf(exchange);
      await sendOrder(engine, exchange.params['runId'] as RunId, { type: 'unpauseRun', of: 'run', by });
      return { accepted: true };
    },
  };
}
