// Routes of asks and their answers: the same for every kind of ask.

import { type AskId, dayAskId } from '../../model/core/ids.ts';
import { defined } from '../../std/defined.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { Refused, type Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import type { Runs } from '../views/find-runs.ts';
import { askIn } from '../views/inbox.ts';
import { pastAnswer } from '../views/past-answer.ts';
import type { BudgetOrders } from './budget-orders.ts';
import { sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';

export function askRoutes({ engine, journal }: Served, runs: Runs, budgets: BudgetOrders): Routes {
  return {
    'GET /asks': () => runs.inbox(),
    'GET /asks/{askId}': async ({ params }) => {
      const askId = params['askId'] as AskId;
      if (askId === dayAskId) return openAsk(runs, askId);
      return askIn(await runs.view(await runs.runOfAsk(askId)), askId);
    },
    'POST /asks/{askId}': async (exchange) => {
      const answer = await readRequest(exchange, ({ answerAsk }) => answerAsk);
      const askId = exchange.params['askId'] as AskId;
      if (askId === dayAskId) {
        const { set, approved, by } = answer;
        if (set === null || !approved) throw new Refused('it asks for more to spend: say how much, or let it wait');
        await budgets.changeDay({ set, clear: [], by });
      } else {
        const set = answer.set === null ? null : defined(answer.set);
        const runId = await runs.runOfAsk(askId);
        await sendOrder(engine, runId, { type: 'answerAsk', askId, ...answer, set }).catch(async (error: unknown) => {
          const past = isFault(error, 'not_found') ? await pastAnswer(journal, runId, askId) : null;
          throw past === null ? error : new Refused(past);
        });
      }
      return { accepted: true };
    },
  };
}

/** The budget of the day belongs to no run. */
async function openAsk(runs: Runs, askId: AskId): Promise<object> {
  const ask = (await runs.inbox()).asks.find(({ id }) => id === askId);
  if (ask === undefined) throw new Fault('not_found', `nobody waits for an answer to ${askId}`);
  return ask;
}
