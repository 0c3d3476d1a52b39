// Collects the data of a review from the view of the run, its events and its repository.

import type { RunEvent } from '../../../wire/event-names.ts';
import type { EvidenceView } from '../../../wire/evidence-views.ts';
import { shownTasks } from '../../../wire/shown-tasks.ts';
import type { RunView, TaskView } from '../../../wire/views.ts';
import { changedFiles } from '../../client/changed-files.ts';
import type { Context } from '../../client/context.ts';
import { followEvents, sayReturn } from '../../client/follow-events.ts';
import type { ChangedFile } from '../../text/ask-text.ts';
import { taskWords } from '../../text/summary.ts';

export interface Review {
  readonly run: RunView;
  readonly tasks: readonly ReviewedTask[];
  /** All integrated changes; null = none. */
  readonly files: readonly ChangedFile[] | null;
}

export interface ReviewedTask {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** The first line of its prompt. */
  readonly asked: string;
  readonly files: readonly ChangedFile[];
  readonly evidence: readonly EvidenceView[];
  /** Whether a check ran on the work, besides Signalbox's own evidence. */
  readonly checked: boolean;
  /** Whether such a check passed. */
  readonly verified: boolean;
  readonly notes: readonly string[];
  /** Failed attempts before this one. */
  readonly troubles: readonly string[];
  /** The last message of its agent. */
  readonly said: string;
  /** The journal has only its beginning. */
  readonly saidCut: boolean;
}

/** `taskId`: only this task. */
export async function gather(context: Context, run: RunView, taskId: string | null): Promise<Review> {
  const told = await readRecord(context, run.id);
  const wanted = shownTasks(run).filter(({ id, kind }) => (taskId === null ? kind === 'work' : id === taskId));
  const tasks: ReviewedTask[] = [];
  for (const task of wanted) tasks.push(await reviewed(context, task, told));
  return { run, tasks, files: taskId === null ? await integratedFiles(context, run) : null };
}

async function reviewed({ place }: Context, task: TaskView, told: Told): Promise<ReviewedTask> {
  const { id, name, attempt } = task;
  const { commit = null, base = null, gitDir = '', ref = null } = attempt ?? {};
  const isChanged = ref !== null && commit !== null && base !== null && commit !== base;
  const evidence = attempt?.checks ?? [];
  const checks = evidence.filter(({ check }) => !ownProofs.has(check));
  const failures = told.troubles.get(id) ?? [];
  return {
    id,
    name,
    state: taskWords(task),
    asked: told.asked.get(id) ?? '',
    files: isChanged ? await changedFiles(place, { gitDir, base, commit }) : [],
    evidence,
    checked: checks.length > 0,
    verified: checks.some(({ passed }) => passed),
    notes: attempt?.notes ?? [],
    // The last failure of a failed task is its outcome.
    troubles: task.outcome?.kind === 'failed' ? failures.slice(0, -1) : failures,
    said: told.said.get(id)?.text ?? '',
    saidCut: told.said.get(id)?.cut ?? false,
  };
}

/** Signalbox's own evidence; it does not show that the work is right. */
const ownProofs: ReadonlySet<string> = new Set(['typed output', 'committed work', 'background work', 'write set']);

async function integratedFiles({ place }: Context, { branch, tasks }: RunView): Promise<readonly ChangedFile[] | null> {
  const gitDir = tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir;
  if (branch === null || gitDir === undefined) return null;
  return changedFiles(place, { gitDir, base: branch.base, commit: branch.head });
}

interface Told {
  readonly asked: Map<string, string>;
  readonly said: Map<string, { readonly text: string; readonly cut: boolean }>;
  readonly troubles: Map<string, string[]>;
}

async function readRecord({ client, terminal }: Context, runId: string): Promise<Told> {
  const told: Told = { asked: new Map(), said: new Map(), troubles: new Map() };
  const attempts = new Map<string, StartedAttempt>();
  const options = { after: 0, follow: false, signal: new AbortController().signal, onReturn: sayReturn(terminal.note) };
  for await (const { event } of followEvents(client, runId, options)) note(event, told, attempts);
  return told;
}

type StartedAttempt = Pick<Extract<RunEvent, { type: 'attempt.started' }>, 'taskId' | 'n'>;

function note(event: RunEvent, { asked, said, troubles }: Told, attempts: Map<string, StartedAttempt>): void {
  switch (event.type) {
    case 'task.added':
      asked.set(event.task.id, askedLine(event.task));
      return;
    case 'task.joined':
      asked.set(event.taskId, `${asked.get(event.matrix) ?? ''} (${JSON.stringify(event.item)})`);
      return;
    case 'attempt.started':
      attempts.set(event.attemptId, event);
      return;
    case 'turn.ended':
      if (event.turn.kind === 'ok') said.set(attempts.get(event.attemptId)?.taskId ?? '', event.turn);
      return;
    case 'attempt.ended': {
      if (event.verdict.kind === 'ok') return;
      const { reason, detail } = event.verdict.failure;
      const { taskId = '', n = 0 } = attempts.get(event.attemptId) ?? {};
      troubles.set(taskId, [...(troubles.get(taskId) ?? []), `attempt ${n}: ${reason}: ${detail}`]);
      return;
    }
    default:
  }
}

/** References are shown as they are written in the plan. */
function textOf(text: string | readonly (string | { readonly ref: readonly string[] })[]): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : `\${{ ${part.ref.join('.')} }}`)).join('');
}

/** The first line of the prompt, which follows the text of the role. */
export function askedLine({ prompt, role }: Pick<Added, 'prompt' | 'role'>): string {
  const text = textOf(prompt);
  const at = role === null ? -1 : text.indexOf(roleEnd);
  const own = at === -1 ? text : text.slice(at + roleEnd.length);
  return own.trim().split('\n', 1)[0] ?? '';
}

type Added = Extract<RunEvent, { type: 'task.added' }>['task'];

const roleEnd = '\n\n---\n\n';
