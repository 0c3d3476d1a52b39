// What of a run is worth calling a person for: something that needs them, something that failed, the end. Pure.

import type { RunView, TaskView } from '../../wire/views.ts';
import { plainLine } from './plain-text.ts';
import { shownTasks } from './shown-tasks.ts';
import { taskWords } from './summary.ts';

export interface Notice {
  /** The same thing has the same key, whoever sees it and however often. */
  readonly key: string;
  readonly kind: 'asks' | 'budget' | 'limit' | 'failed' | 'ended';
  readonly runId: string;
  readonly run: string;
  readonly taskId: string | null;
  readonly task: string | null;
  /** One plain line. */
  readonly words: string;
  /** How long the run has taken. */
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
    for (const { id, tool, input } of task.asks) {
      out.push(ofTask(task, `asks ${id}`, 'asks', `asks whether it may use ${tool}: ${JSON.stringify(input) ?? ''}`));
    }
    const { question } = task;
    if (question?.state === 'open')
      out.push(ofTask(task, `asks ${question.id}`, 'asks', `${asker(question)} you: ${question.message}`));
    // By its time: a task that is tried again may fail again. A child's failure is for its parent to judge.
    if (task.outcome?.kind === 'failed' && !askers.has(task.parent ?? '')) {
      out.push(ofTask(task, `failed ${task.id} ${task.endedAt}`, 'failed', taskWords(task)));
    }
  }
  for (const { id, taskId, task, message, state } of run.consents) {
    if (state !== 'open') continue;
    const words = shortened(`asks you: ${message}`);
    out.push({ ...about, key: `asks ${id}`, kind: 'asks', taskId, task: plainLine(task), words });
  }
  for (const { key, words } of run.exhausted) {
    out.push({ ...about, key: `budget ${key}`, kind: 'budget', taskId: null, task: null, words: shortened(words) });
  }
  for (const { key, taskId, task, words } of run.reached) {
    out.push({ ...about, key: `limit ${key}`, kind: 'limit', taskId, task: plainLine(task), words: shortened(words) });
  }
  if (run.endedAt === null) return out;
  const tasks = shownTasks(run);
  const done = tasks.filter((task) => task.outcome?.kind === 'succeeded').length;
  const words = `${run.outcome ?? 'ended'}: ${done} of ${tasks.length} tasks`;
  return [...out, { ...about, key: `ended ${run.id} ${run.endedAt}`, kind: 'ended', taskId: null, task: null, words }];
}

function asker({ topic }: { readonly topic: string }): string {
  return topic === 'agent' ? 'its agent asks' : 'asks';
}

function shortened(words: string): string {
  const line = plainLine(words);
  return line.length > wordsMax ? `${line.slice(0, wordsMax)}…` : line;
}
