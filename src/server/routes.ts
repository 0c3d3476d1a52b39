// What the daemon answers: each route parses what came, asks the engine, and tells what is. No state of its own.

import type { Engine } from '../engine/engine.ts';
import type { Command } from '../model/command.ts';
import type { GateId, IdSource, RunId, TaskId } from '../model/ids.ts';
import type { RepoRef } from '../model/spec.ts';
import { Fault } from '../std/fault.ts';
import type { Journal } from '../store/journal.ts';
import type { CreateRun } from '../wire/requests.ts';
import type { SpaceItemView } from '../wire/space.ts';
import type { LoginView, StatusView } from '../wire/status-views.ts';
import { countOf, streamEvents } from './event-stream.ts';
import { type Holding, streamHold } from './hold-stream.ts';
import { Refused, type Routes } from './http.ts';
import { streamLog } from './log-stream.ts';
import { planRun } from './plan.ts';
import { readRequest } from './read-request.ts';
import { createRuns, type Runs } from './runs.ts';
import type { ViewSource } from './view.ts';

export interface Served {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly ids: IdSource;
  readonly about: Pick<StatusView, 'version' | 'pid' | 'startedAt' | 'home' | 'confinement' | 'sandbox'>;
  /** Fires when the daemon is about to leave. */
  readonly leaving: AbortSignal;
  transcriptPath(launchId: string): string;
  readTranscript(launchId: string, from: number): AsyncIterable<Buffer>;
  /** The repository that holds an attempt's work. */
  gitDir(attemptId: string): string;
  branchRef: ViewSource['branchRef'];
  reopen: ViewSource['reopen'];
  /** A port of its block on which something listens, by attempt. */
  usedPorts(): Promise<ReadonlyMap<string, number>>;
  /** The commit that a name means now; null is what is checked out. */
  decideBase(
    repo: { path: string; base: string | null },
    signal: AbortSignal,
  ): Promise<RepoRef & { readonly notes: readonly string[] }>;
  /** Why a harness would not take these settings; null when it would. */
  flawOfSettings(harness: string, settings: Readonly<Record<string, string>>): string | null;
  /** Throws the Fault that says why an agent of this harness could not work here. */
  requireFit(harness: string): Promise<void>;
  /** What agents would be let in with, without the secrets. */
  logins(): readonly LoginView[];
  readonly space: Space;
  /** Workspaces that somebody looks into. */
  readonly holding: Holding;
  /** Begins to leave; returns at once. */
  leave(): void;
}

/** What lies on the disk, and the removal of what may go. */
export interface Space {
  inspectSpace(signal: AbortSignal): Promise<readonly SpaceItemView[]>;
  reclaim(
    wanted: readonly string[] | 'all' | 'all-with-setups',
    signal: AbortSignal,
  ): Promise<{ readonly removed: readonly SpaceItemView[]; readonly kept: readonly SpaceItemView[] }>;
}

const listMax = 50;

export function createRoutes(served: Served): Routes {
  const { engine, journal } = served;
  const runs = createRuns(engine, journal, served);
  return {
    'GET /status': () => status(served),
    'GET /logins': async () => ({ logins: served.logins() }),
    'GET /find': ({ query }) => runs.find(query.get('word') ?? ''),
    'GET /runs': ({ query }) =>
      runs.list({ ended: query.get('all') === '1', limit: countOf(query.get('limit')) || listMax }),
    'POST /runs': async (exchange) =>
      create(served, runs, await readRequest(exchange, ({ createRun }) => createRun), exchange.signal),
    'GET /runs/{runId}': ({ params }) => runs.view(params['runId'] as RunId),
    'GET /runs/{runId}/events': (exchange) => streamEvents(served, exchange, exchange.params['runId'] as RunId),
    'POST /runs/{runId}/stop': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const runId = exchange.params['runId'] as RunId;
      // Asked for already: what was wanted is under way, so asking again is no error.
      if ((await runs.view(runId)).state !== 'stopping') await command(engine, runId, { type: 'stopRun', by });
      return { accepted: true };
    },
    'POST /runs/{runId}/resume': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const runId = exchange.params['runId'] as RunId;
      await requireFitFor(served, runId, null);
      await command(engine, runId, { type: 'resumeRun', by });
      return { accepted: true };
    },
    'GET /inbox': () => runs.inbox(),
    'POST /gates/{gateId}/decide': async (exchange) => {
      const decision = await readRequest(exchange, ({ decideGate }) => decideGate);
      const gateId = exchange.params['gateId'] as GateId;
      await command(engine, await runs.runOfGate(gateId), { type: 'decideGate', gateId, ...decision });
      return { accepted: true };
    },
    ...taskRoutes(served, runs),
    'GET /space': async ({ signal }) => ({ items: await served.space.inspectSpace(signal) }),
    'POST /space/reclaim': async (exchange) => {
      const { attempts, setups } = await readRequest(exchange, ({ reclaimSpace }) => reclaimSpace);
      return served.space.reclaim(attempts ?? (setups ? 'all-with-setups' : 'all'), exchange.signal);
    },
    'POST /down': async () => {
      served.leave();
      return { accepted: true };
    },
  };
}

function taskRoutes(served: Served, runs: Runs): Routes {
  const { engine } = served;
  const look = async (taskId: TaskId) => runs.view(await runs.runOfTask(taskId));
  return {
    'POST /tasks/{taskId}/stop': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const taskId = exchange.params['taskId'] as TaskId;
      await command(engine, await runs.runOfTask(taskId), { type: 'stopTask', taskId, by });
      return { accepted: true };
    },
    'POST /tasks/{taskId}/send': async (exchange) => {
      const { id: messageId, text } = await readRequest(exchange, ({ sendMessage }) => sendMessage);
      const taskId = exchange.params['taskId'] as TaskId;
      const runId = await runs.runOfTask(taskId);
      await command(engine, runId, { type: 'send', messageId, taskId, from: 'a person', text });
      return { accepted: true };
    },
    'POST /tasks/{taskId}/retry': async (exchange) => {
      const { by } = await readRequest(exchange, ({ order }) => order);
      const taskId = exchange.params['taskId'] as TaskId;
      const runId = await runs.runOfTask(taskId);
      await requireFitFor(served, runId, taskId);
      await command(engine, runId, { type: 'retryTask', taskId, by });
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

async function create(served: Served, runs: Runs, request: CreateRun, signal: AbortSignal): Promise<object> {
  const { works, why } = served.about.sandbox;
  for (const { name, harness, settings, sandbox } of request.tasks) {
    const flaw =
      served.flawOfSettings(harness, settings) ?? (sandbox === 'workspace' && !works ? noSandbox(why) : null);
    if (flaw !== null) throw new Fault('bad_request', `task "${name}": ${flaw}`);
  }
  // The answer to the same request, asked before and lost on its way.
  if ((await served.journal.head(request.id)) !== null) return runs.view(request.id);
  for (const harness of new Set(request.tasks.map((task) => task.harness))) await served.requireFit(harness);
  const { path, base, notes } = await served.decideBase(request.repo, signal);
  const repo = { path, base };
  await command(served.engine, request.id, planRun(request, repo, served.ids, works ? 'workspace' : 'none'));
  return { ...(await runs.view(request.id)), notes };
}

/** Nothing is opened again whose agents could not work here. `taskId`: what was skipped for its sake is looked at too. */
async function requireFitFor({ engine, requireFit }: Served, runId: RunId, taskId: TaskId | null): Promise<void> {
  const harnesses = await engine.lookRun(runId, (run) =>
    Array.from(run?.tasks.values() ?? [])
      .filter(({ spec, outcome }) => spec.id === taskId || outcome?.kind === 'skipped' || taskId === null)
      .filter(({ outcome }) => outcome !== null && outcome.kind !== 'succeeded')
      .map(({ spec }) => spec.harness),
  );
  for (const harness of new Set(harnesses)) await requireFit(harness);
}

function noSandbox(why: string | null): string {
  return `there is no sandbox here: ${why}; "signalbox doctor" says how to mend it, "--sandbox none" does without`;
}

async function command(engine: Engine, runId: RunId, asked: Command): Promise<void> {
  const outcome = await engine.send(runId, asked);
  if (outcome.kind === 'accepted' || outcome.refusal.kind === 'stale') return;
  if (outcome.refusal.kind === 'unknown') throw new Fault('not_found', outcome.refusal.reason);
  throw new Refused(outcome.refusal.reason);
}

async function status({ engine, about }: Served): Promise<StatusView> {
  const { slots, openRuns } = await engine.look(({ host, runs }) => ({
    slots: { all: host.slots, taken: host.held.size },
    openRuns: Array.from(runs.values()).filter((run) => run.state !== 'settled').length,
  }));
  const { trouble, quarantined, frozen } = engine.status;
  return {
    ...about,
    slots,
    openRuns,
    frozen,
    trouble: trouble === null ? null : { code: trouble.code, message: trouble.message },
    quarantined: Array.from(quarantined, ([stream, fault]) => ({ stream, reason: fault.message })),
  };
}
