// Routes of a single task: stop, interrupt, send, retry, output, log, hold.

import type { TaskId } from '../../model/core/ids.ts';
import { streamHold } from '../http/hold-stream.ts';
import type { Routes } from '../http/http.ts';
import { streamLog } from '../http/log-stream.ts';
import { readRequest } from '../http/read-request.ts';
import type { Runs } from '../views/find-runs.ts';
import { requireFitFor, requireInterruptible, sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';

export function taskRoutes(served: Served, runs: Runs): Routes {
  const { engine } = served;
  const look = async (taskId: TaskId) => runs.view(await runs.runOfTask(taskId));
  return {
    'POST /tasks/{taskId}/stop': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const taskId = exchange.params['taskId'] as TaskId;
      await sendOrder(engine, await runs.runOfTask(taskId), { type: 'stopTask', taskId, by });
      return { accepted: true };
    },
    'POST /tasks/{taskId}/interrupt': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const taskId = exchange.params['taskId'] as TaskId;
      const runId = await runs.runOfTask(taskId);
      await requireInterruptible(served, runId, taskId);
      await sendOrder(engine, runId, { type: 'interruptTask', taskId, by });
      return { accepted: true };
    },
    'POST /tasks/{taskId}/send': async (exchange) => {
      const { id: recordId, text } = await readRequest(exchange, ({ sendMessage }) => sendMessage);
      const taskId = exchange.params['taskId'] as TaskId;
      const runId = await runs.runOfTask(taskId);
      await sendOrder(engine, runId, { type: 'send', recordId, taskId, from: 'a person', text });
      return { accepted: true };
    },
    'POST /tasks/{taskId}/retry': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const taskId = exchange.params['taskId'] as TaskId;
      const runId = await runs.runOfTask(taskId);
      await requireFitFor(served, runId, taskId);
      await sendOrder(engine, runId, { type: 'retryTask', taskId, by });
      return { accepted: true };
    },
    'GET /tasks/{taskId}/output': async ({ params }) => {
      const taskId = params['taskId'] as TaskId;
      return engine.lookRun(await runs.runOfTask(taskId), (run) => ({
        output: run?.tasks.get(taskId)?.output ?? null,
      }));
    },
    'GET /tasks/{taskId}/log': (exchange) =>
      streamLog({ ...served, look }, exchange, exchange.params['taskId'] as TaskId),
    'GET /tasks/{taskId}/hold': (exchange) =>
      streamHold({ ...served, look }, exchange, exchange.params['taskId'] as TaskId),
  };
}
