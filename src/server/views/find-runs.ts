// Finds runs, in memory or only in the journal, and resolves names typed by people. Read-only.

import type { Engine } from '../../engine/engine.ts';
import {
  type AskId,
  attemptOfAsk,
  isRunId,
  type RunId,
  scopeOfAsk,
  type TaskId,
  taskOfAttempt,
  taskOfConsent,
  taskOfQuestion,
} from '../../model/core/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import type { InboxView } from '../../wire/ask-views.ts';
import type { Found, RunView } from '../../wire/views.ts';
import { findWord } from './find-word.ts';
import { inboxOf } from './inbox.ts';
import { createLists, type RunLists, unlessUnreadable } from './list-runs.ts';
import { type ViewSource, viewRun } from './run-view.ts';

export interface Runs extends RunLists {
  /** Throws `not_found` if there is none. */
  view(runId: RunId): Promise<RunView>;
  runOfTask(taskId: TaskId): Promise<RunId>;
  find(word: string): Promise<Found>;
  /** The newest run on the checkout at this path. Throws `not_found` if there is none. */
  newestIn(repo: string): Promise<Found>;
  /** Everything that waits for a person. */
  inbox(): Promise<InboxView>;
  runOfAsk(askId: AskId): Promise<RunId>;
}

/** How many runs a name is searched in. */
const searchMax = 200;

export interface RunSource extends Pick<ViewSource, 'gitDir' | 'branchRef' | 'reopen'> {
  usedPorts(): Promise<ReadonlyMap<string, number>>;
}

export function createRuns(engine: Engine, journal: Journal, given: RunSource): Runs {
  const { gitDir, branchRef, reopen, usedPorts: ask } = given;
  const look = async (runId: RunId): Promise<RunView | null> => {
    const usedPorts = await ask();
    const source: ViewSource = { gitDir, branchRef, reopen, usedPorts, progress: engine.progress };
    return engine.lookRun(runId, (run, ledger) => (run === null ? null : viewRun(run, ledger, source)));
  };

  const view = async (runId: RunId): Promise<RunView> => {
    const found = await look(runId);
    if (found === null) throw new Fault('not_found', `there is no run ${runId}`);
    return found;
  };

  const { list, page } = createLists(journal, look);

  const runOfTask = async (taskId: TaskId): Promise<RunId> => {
    const inMemory = await engine.look(({ runs }) => {
      for (const [id, run] of runs) if (run.tasks.has(taskId)) return id;
      return null;
    });
    if (inMemory !== null) return inMemory;
    const { runs } = await list({ ended: true, limit: searchMax });
    const run = runs.find((each) => each.tasks.some((task) => task.id === taskId));
    if (run === undefined) throw new Fault('not_found', `there is no task ${taskId}`);
    return run.id as RunId;
  };

  const find = async (word: string): Promise<Found> => {
    if (isRunId(word)) return { runId: (await view(word)).id, taskId: null };
    return findWord((await list({ ended: true, limit: searchMax })).runs, word);
  };

  const newestIn = async (repo: string): Promise<Found> => {
    const heads = await journal.heads({ prefix: 'run_' });
    for (const { stream } of heads.slice(-searchMax).reverse()) {
      const run = await look(stream as RunId).catch(unlessUnreadable);
      if (run?.repo.path === repo && run.removedBy === null) return { runId: run.id, taskId: null };
    }
    throw new Fault('not_found', `there is no run of ${repo} yet: start one with "signalbox run"`);
  };

  const inbox = async (): Promise<InboxView> => inboxOf((await list({ ended: false, limit: 0 })).runs);

  const runOfAsk = async (askId: AskId): Promise<RunId> => {
    const budget = scopeOfAsk(askId);
    if (budget?.of === 'run') return budget.runId;
    const about = budget?.taskId ?? taskOfQuestion(askId) ?? taskOfConsent(askId);
    if (about !== null) return runOfTask(about);
    const attemptId = attemptOfAsk(askId);
    const runId = await engine.look(({ runs }) => {
      for (const [id, run] of runs) if (run.live.has(attemptId)) return id;
      return null;
    });
    return runId ?? runOfTask(taskOfAttempt(attemptId));
  };

  return { view, list, page, runOfTask, find, newestIn, inbox, runOfAsk };
}
