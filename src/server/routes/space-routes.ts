// Routes about the disk: what is on it, and removing workspaces or a whole run.

import { type AttemptId, attemptId, type RunId, taskOfAttempt } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { Fault } from '../../std/fault.ts';
import type { RunLeftView } from '../../wire/space-views.ts';
import { Refused, type Routes } from '../http/http.ts';
import { readRequest } from '../http/read-request.ts';
import { landedAttempts } from '../views/landed-attempts.ts';
import { sendOrder } from './person-orders.ts';
import type { FilesLeft, RunFiles, Served } from './route-context.ts';

type Source = Pick<Served, 'engine' | 'journal' | 'space' | 'removal'>;

export function spaceRoutes(served: Source): Routes {
  return {
    'GET /space': async ({ signal }) => ({ items: await served.space.inspectSpace(signal) }),
    'POST /space/reclaim': async (exchange) => {
      const { attempts, setups } = await readRequest(exchange, ({ reclaimSpace }) => reclaimSpace);
      return served.space.reclaim(attempts ?? (setups ? 'all-with-setups' : 'all'), exchange.signal);
    },
    'GET /runs/{runId}/left': async ({ params, signal }) =>
      (await leftOf(served, params['runId'] as RunId, signal)).view,
    'POST /runs/{runId}/remove': async (exchange) => {
      const { by, force } = await readRequest(exchange, ({ removeRun }) => removeRun);
      await remove(served, exchange.params['runId'] as RunId, { by, force }, exchange.signal);
      return { accepted: true };
    },
  };
}

interface Left {
  readonly files: RunFiles;
  readonly found: FilesLeft;
  readonly view: RunLeftView;
}

async function leftOf({ engine, journal, removal }: Source, runId: RunId, signal: AbortSignal): Promise<Left> {
  const landed = await landedAttempts(journal, runId);
  const { files, names, last } = await engine.lookRun(runId, (run) => {
    if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
    return filesOf(run, runId, landed);
  });
  const found = await removal.inspect(files, signal);
  const unlanded = found.unlanded.filter((id) => last.has(id as AttemptId));
  const { workspaces, homes, launches, bytes, busy } = found;
  const view = {
    workspaces,
    homes,
    launches,
    bytes,
    busy: [...busy],
    unlanded: unlanded.map((id) => names.get(taskOfAttempt(id as AttemptId)) ?? id),
    earlier: found.unlanded.length - unlanded.length,
  };
  return { files, found, view };
}

/** `last`: the newest attempt of each task. */
function filesOf(run: Run, runId: RunId, landed: ReadonlySet<AttemptId>) {
  const all = [...run.tasks.values()];
  const attempts = all.flatMap(({ spec: { id: taskId }, tries }) =>
    Array.from({ length: tries.attempts }, (_, i) => {
      const id = attemptId(taskId, i + 1);
      return { taskId, attemptId: id, n: i + 1, landed: landed.has(id) };
    }),
  );
  const files: RunFiles = { runId, repo: run.spec?.repo.path ?? '', attempts };
  const last = new Set(all.map(({ spec, tries }) => attemptId(spec.id, tries.attempts)));
  return { files, last, names: new Map(all.map(({ spec }) => [spec.id, spec.name])) };
}

/** First the intent, then the record, then the files: a daemon that is killed between finishes what is on record. */
async function remove(
  served: Source,
  runId: RunId,
  { by, force }: { readonly by: string; readonly force: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { engine, removal } = served;
  const { files, found, view } = await leftOf(served, runId, signal);
  const [busy] = view.busy;
  if (busy !== undefined) throw new Refused(`the workspace ${busy.name} is kept: ${busy.why}`);
  if (view.unlanded.length > 0 && !force) {
    throw new Refused(
      `the work of ${view.unlanded.join(', ')} is in no branch of yours: land it, take it, or add --force`,
    );
  }
  await removal.intend(files, force ? [] : found.unlanded);
  try {
    await sendOrder(engine, runId, { type: 'removeRun', by });
  } catch (error) {
    if (error instanceof Refused) await removal.abandon(runId);
    throw error;
  }
  await removal.finish(runId, signal);
}
