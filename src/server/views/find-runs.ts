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
import { Fault, isFault } from '../../std/fault.ts';
import { nearest } from '../../std/nearest.ts';
import type { InboxView } from '../../wire/ask-views.ts';
import type { Found, RunList, RunView } from '../../wire/views.ts';
import { inboxOf } from './inbox.ts';
import { type ViewSource, viewRun } from './run-view.ts';

export interface Runs {
  /** Throws `not_found` if there is none. */
  view(runId: RunId): Promise<RunView>;
  /** Newest last. `limit` counts ended runs only: open runs are always listed. */
  list(which: { readonly ended: boolean; readonly limit: number }): Promise<RunList>;
  runOfTask(taskId: TaskId): Promise<RunId>;
  find(word: string): Promise<Found>;
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

  const list: Runs['list'] = async ({ ended, limit }) => {
    const heads = await journal.heads({ prefix: 'run_' });
    const open = heads.filter((head) => head.open);
    const newest = ended ? heads.filter((head) => !head.open).slice(-limit) : [];
    const ids = [...open, ...newest].map((head) => head.stream as RunId).sort();
    const out: RunList = { runs: [], unreadable: [] };
    for (const id of ids) {
      try {
        const found = await look(id);
        if (found !== null) out.runs.push(found);
      } catch (error) {
        if (!isFault(error, 'journal_corrupt') && !isFault(error, 'journal_newer')) throw error;
        out.unreadable.push({ id, reason: error.message });
      }
    }
    return out;
  };

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

  return { view, list, runOfTask, find, inbox, runOfAsk };
}

/**
 * Finds an id, a unique prefix of one, the name of a task of the newest run, of a run (the newest of that name), or of a
 * task of an earlier run: of an open one, or else of the newest that has it.
 */
export function findWord(runs: readonly RunView[], word: string): Found {
  const byId = runs.flatMap(({ id, tasks }): Found[] => {
    const tasksFound = tasks.filter((task) => task.id.startsWith(word)).map((task) => ({ runId: id, taskId: task.id }));
    return id.startsWith(word) ? [{ runId: id, taskId: null }, ...tasksFound] : tasksFound;
  });
  const exact = byId.find(({ runId, taskId }) => (taskId ?? runId) === word);
  if (exact !== undefined) return exact;
  const newest = runs.at(-1);
  const task = newest?.tasks.find(({ name }) => name === word);
  if (newest !== undefined && task !== undefined) return { runId: newest.id, taskId: task.id };
  const named = runs.findLast(({ name }) => name === word);
  if (byId.length === 0 && named !== undefined) return { runId: named.id, taskId: null };
  const elsewhere = byId.length === 0 ? findElsewhere(runs, word) : null;
  if (elsewhere !== null) return elsewhere;
  const [only, another] = byId;
  if (only !== undefined && another === undefined) return only;
  if (only !== undefined) {
    const ids = byId.slice(-5).map(({ runId, taskId }) => taskId ?? runId);
    throw new Fault('bad_request', `"${word}" is ambiguous (${ids.join(', ')}): give more characters`);
  }
  const shown = runs.filter((run) => run === newest || run.state !== 'ended');
  const names = [...shown.flatMap(({ tasks }) => tasks), ...runs].map(({ name }) => name);
  const near = nearest(word, names);
  const hint = near.length === 0 ? 'list them with "signalbox ps --all"' : `did you mean ${near.join(', ')}?`;
  throw new Fault('not_found', `there is no run or task "${word}"; ${hint}`);
}

function findElsewhere(runs: readonly RunView[], word: string): Found | null {
  const having = runs.flatMap(({ id, name, state, tasks }) => {
    const task = tasks.find((each) => each.name === word);
    return task === undefined ? [] : [{ runId: id, taskId: task.id, run: name, isOver: state === 'ended' }];
  });
  const goingOn = having.filter(({ isOver }) => !isOver);
  if (goingOn.length > 1) {
    const which = goingOn.slice(-5).map(({ taskId, run }) => `${taskId} (${run})`);
    throw new Fault(
      'bad_request',
      `"${word}" is a task of several running runs: name one by its id: ${which.join(', ')}`,
    );
  }
  const found = goingOn[0] ?? having.at(-1);
  return found === undefined ? null : { runId: found.runId, taskId: found.taskId };
}
