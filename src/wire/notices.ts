// The notices that a run raises: something needs a person, something failed, the run ended. The daemon sends them and a
// terminal rings for them. Pure.

import { plainLine } from '../std/plain-text.ts';
import type { AskView } from './ask-views.ts';
import type { RunEvent } from './event-names.ts';
import { shownTasks } from './shown-tasks.ts';
import type { RunView, TaskView } from './views.ts';

export interface Notice {
  /** Identifies the notice: the same fact always has the same key. */
  readonly key: string;
  readonly kind: 'asks' | 'budget' | 'limit' | 'failed' | 'ended';
  readonly runId: string;
  readonly run: string;
  readonly taskId: string | null;
  readonly task: string | null;
  /** One plain line. */
  readonly words: string;
  /** Duration of the run so far. */
  readonly tookMs: number;
}

const wordsMax = 300;

export function noticesOf(run: RunView, now: number): Notice[] {
  const tookMs = Math.max(0, (run.endedAt ?? now) - run.createdAt);
  const about = { runId: run.id, run: plainLine(run.name), tookMs };
  const ofTask = (task: TaskView, key: string, kind: Notice['kind'], words: string): Notice => {
    return { ...about, key, kind, taskId: task.id, task: plainLine(task.name), words: shortened(words) };
  };
  const out: Notice[] = [];
  const askers = new Set(run.tasks.flatMap(({ id, kind }) => (kind === 'work' ? [id] : [])));
  for (const task of shownTasks(run)) {
    for (const ask of task.asks) {
      if (ask.state === 'open') out.push(ofTask(task, `asks ${ask.id}`, 'asks', askWords(ask)));
    }
    // Keyed by time: a retried task may fail again. A parent handles the failures of its children.
    if (task.outcome?.kind === 'failed' && !askers.has(task.parent ?? '')) {
      out.push(ofTask(task, `failed ${task.id} ${task.endedAt}`, 'failed', failed(task.outcome.failure)));
    }
  }
  for (const ask of run.asks) {
    const { id, state, taskId, task, budget } = ask;
    if (state !== 'open') continue;
    const words = shortened(askWords(ask));
    if (budget !== null) out.push({ ...about, key: `budget ${budget.key}`, kind: 'budget', ...noTask, words });
    else out.push({ ...about, key: `asks ${id}`, kind: 'asks', taskId, task: plainLine(task ?? ''), words });
  }
  for (const { key, taskId, task, words } of run.reached) {
    out.push({ ...about, key: `limit ${key}`, kind: 'limit', taskId, task: plainLine(task), words: shortened(words) });
  }
  if (run.endedAt === null) return out;
  const tasks = shownTasks(run);
  const done = tasks.filter((task) => task.outcome?.kind === 'succeeded').length;
  const words = `${run.outcome ?? 'ended'}: ${done} of ${tasks.length} tasks${run.outcome === 'succeeded' ? '' : ' succeeded'}`;
  return [...out, { ...about, key: `ended ${run.id} ${run.endedAt}`, kind: 'ended', taskId: null, task: null, words }];
}

function failed({ reason, detail }: { readonly reason: string; readonly detail: string }): string {
  return `failed (${reason}): ${detail}`;
}

const noTask = { taskId: null, task: null };

function askWords({ kind, message, permission, budget }: AskView): string {
  if (permission !== null)
    return `asks whether it may use ${permission.tool}: ${JSON.stringify(permission.input) ?? ''}`;
  if (budget !== null) return budget.words;
  return `${kind === 'question' ? 'its agent asks' : 'asks'} you: ${message}`;
}

function shortened(words: string): string {
  const line = plainLine(words);
  return line.length > wordsMax ? `${line.slice(0, wordsMax)}…` : line;
}

/** Whether an event may raise a notice. Only then is the whole run read again, so not after each of many successes. */
export function mayCallPeople(event: RunEvent): boolean {
  if (event.type === 'task.ended') return event.outcome.kind === 'failed';
  if (event.type === 'budget.day') return event.exhausted !== null;
  return callsPeople.has(event.type);
}

const callsPeople: ReadonlySet<string> = new Set(['ask.opened', 'limit.reached', 'run.ended']);
