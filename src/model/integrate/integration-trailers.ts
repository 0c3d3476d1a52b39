// The trailers of an integrated commit, which say where it comes from. A function of the run's state when the work was verified
// and of hashes computed elsewhere: folding the journal up to there gives the same.

import type { TaskAsk } from '../asks/ask.ts';
import { lastAskAbout } from '../asks/find-asks.ts';
import type { Attempt } from '../core/attempt.ts';
import type { EvidenceItem } from '../core/events.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import { modelNamed } from '../core/model-tiers.ts';
import type { Run, Task } from '../core/run.ts';
import { resolverOf } from './resolver.ts';
import { type Anchor, anchorWords, nameWords, type Trailer, trailersOf } from './trailer.ts';

/** In hexadecimal; null = unknown. */
export interface IntegrationHashes {
  /** sha256 of the agent's prompt. */
  readonly prompt: string;
  /** sha256 of everything that its processes printed. */
  readonly transcript: string | null;
  /** The event by which the work was queued for integration. */
  readonly journal: Anchor;
}

export function integrationTrailers(run: Run, attempt: Attempt, hashes: IntegrationHashes): Trailer[] {
  const { id: runId = '', name: runName = '' } = run.spec ?? {};
  const task = taskOf(run, attempt.taskId);
  const agent = agentOf(run, attempt.agentId);
  const { prompt, transcript, journal } = hashes;
  return trailersOf([
    ['Run', `${runId} ${runName}`],
    ['Task', `${task.spec.id} ${task.spec.name}`],
    ['Attempt', attempt.id],
    ['Agent', `${agent.id} ${agent.name}`],
    ['Harness', task.spec.harness],
    ['Model', modelsOf(run, task, attempt)],
    ['Prompt', `sha256:${prompt}`],
    ['Transcript', transcript === null ? 'unknown' : `sha256:${transcript}`],
    ...(attempt.result.evidence === null ? [] : [['Checks', checkWords(attempt.result.evidence)] as const]),
    ...approvals(run, task).map((words) => ['Approved-By', words] as const),
    ['Journal', anchorWords(runId, journal)],
  ]);
}

/** The model that it was set to use, else those that it has used. */
export function modelsOf(run: Run, task: Task, { parking: { model } }: Attempt): string {
  const {
    spec,
    spending: { usageOf },
  } = task;
  const ofResolver = resolverOf(run, task)?.settings['model'] ?? '';
  const named = modelNamed(run.spec?.models ?? {}, spec.harness, ofResolver) ?? '';
  const asked = model ?? (named || (spec.settings['model'] ?? ''));
  if (asked !== '') return asked;
  const used = Object.keys(usageOf).filter((name) => name !== '');
  return used.length === 0 ? 'unknown' : used.sort().join(', ');
}

function checkWords(items: readonly EvidenceItem[]): string {
  const words = items.slice(0, checksMax).map(({ check, passed, tree }) => {
    const on = tree === undefined || tree === '' ? '' : ` on ${tree.slice(0, idShown)}`;
    return `${nameWords(check)} ${passed ? 'passed' : 'failed'}${on}`;
  });
  const more = items.length - words.length;
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join('; ') || 'none';
}

/** The people who approved gates before it, in the order of the plan. */
export function approvals(run: Run, task: Task): string[] {
  const passed = [...run.tasks.values()].filter((gate) => approvalOf(run, gate) !== null);
  if (passed.length === 0) return [];
  const before = neededBy(run, task);
  const words = passed.filter((gate) => before.has(gate)).map((gate) => approvalWords(run, gate));
  const more = words.length - approvalsMax;
  return more > 0 ? [...words.slice(0, approvalsMax), `and ${more} more`] : words;
}

function approvalOf(run: Run, { spec }: Task): TaskAsk['answer'] {
  const answer = spec.kind === 'gate' ? (lastAskAbout(run, spec.id)?.answer ?? null) : null;
  return answer?.approved === true ? answer : null;
}

function approvalWords(run: Run, gate: Task): string {
  const { spec } = gate;
  const { by = '', at = 0 } = approvalOf(run, gate) ?? {};
  return `${nameWords(by)} at ${new Date(at).toISOString()} (${nameWords(spec.name)})`;
}

/** Everything that had to end before it. */
function neededBy(run: Run, task: Task): ReadonlySet<Task> {
  const seen = new Set<Task>();
  const open = [task];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    for (const id of [...each.spec.needs, ...(each === task ? [] : each.graph.members)]) {
      const need = taskOf(run, id);
      if (seen.has(need)) continue;
      seen.add(need);
      open.push(need);
    }
  }
  return seen;
}

const checksMax = 20;
const approvalsMax = 20;
const idShown = 12;
