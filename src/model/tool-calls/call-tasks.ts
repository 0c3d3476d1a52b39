// Tools by which an agent looks at its children, stops them, and reports its own progress.

import { liveAttempt } from '../attempt/stopping.ts';
import { restOf, restWords } from '../children/resting.ts';
import { stopBelow } from '../children/stop-below.ts';
import { askerOf, matrixOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { descendants, findTask, isBelow, isKnownTo, isRelated } from '../core/task-tree.ts';
import { resultArtifact } from '../inputs/task-inputs.ts';
import { jsonText } from '../messages/envelope.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse } from './call-answer.ts';

type Of<Tool extends CallRequest['tool']> = Extract<CallRequest, { tool: Tool }>;

export function getTask({ run, task }: CallScene, word: string): Answered {
  const found = findTask(run, word);
  if (typeof found === 'string') return refuse(found);
  if (!isKnownTo(run, task, found))
    return refuse(`"${found.spec.name}" is not one of your children: you can see only those and their descendants`);
  return answer(jsonText(aboutTask(run, found), 1));
}

export function listTasks({ run, task }: CallScene, { from, open }: Of<'list_tasks'>): Answered {
  const all = descendants(run, task).filter(({ state }) => !open || state !== 'ended');
  const page = all.slice(from, from + pageMax);
  if (page.length === 0) return answer(all.length === 0 ? nobody(task) : `There are ${all.length} only.`);
  const lines = page.map((each) => JSON.stringify(lineOf(run, each)));
  const left = all.length - from - page.length;
  const same = open ? '"open": true, ' : '';
  const more = left > 0 ? [`[${left} more: list_tasks {${same}"from": ${from + page.length}}]`] : [];
  return answer([...lines, ...more].join('\n'));
}

const pageMax = 50;

function nobody({ children: { ids: children } }: Task): string {
  return children.length === 0 ? 'You have no children.' : 'None of your children is open.';
}

function lineOf(run: Run, task: Task): Record<string, unknown> {
  const {
    spec,
    state,
    outcome,
    children: { open: childrenOpen },
  } = task;
  const parent = spec.parent === null ? undefined : run.tasks.get(spec.parent)?.spec.name;
  return {
    task: spec.name,
    id: spec.id,
    parent,
    state: outcome?.kind ?? state,
    childrenOpen: childrenOpen || undefined,
  };
}

function aboutTask(run: Run, task: Task): Record<string, unknown> {
  const {
    spec,
    outcome,
    tries: { attempts },
    attempt,
    spending: { treeUsage },
    children: { ids: children, progress },
  } = task;
  const live = liveAttempt(run, task);
  const rest = live === null ? null : restOf(run, live);
  return {
    ...lineOf(run, task),
    attempts,
    phase: spec.phase ?? undefined,
    needs: someOf(spec.needs.map((id) => taskOf(run, id).spec.name)),
    children: children.length === 0 ? undefined : `${children.length}: list_tasks shows them`,
    waitsFor: rest === null ? undefined : restWords(rest),
    progress: progress === null ? undefined : { line: progress.line, fraction: progress.fraction },
    failure:
      outcome?.kind === 'failed'
        ? { ...outcome.failure, detail: outcome.failure.detail.slice(0, detailMax) }
        : undefined,
    result: resultArtifact(task) ?? undefined,
    artifacts: submittedBy(task),
    commit: attempt?.workspace.commit || undefined,
    tokens: treeUsage.inputTokens + treeUsage.outputTokens + treeUsage.cacheWriteTokens,
    usd: treeUsage.unknownCosts > 0 ? 'unknown' : treeUsage.costMicroUsd / 1e6,
    unread: task.mailbox.inbox.length || undefined,
  };
}

const detailMax = 600;
const someMax = 20;

function someOf(names: readonly string[]): readonly string[] {
  const left = names.length - someMax;
  return left > 0 ? [...names.slice(0, someMax), `and ${left} more`] : names;
}

/** The artifacts that its agent submitted, the newest last. */
function submittedBy({ attempt }: Task): readonly string[] | undefined {
  if (attempt === null || attempt.result.submitted === 0) return undefined;
  const handed = attempt.result.artifacts.slice(0, attempt.result.submitted).slice(-someMax);
  return handed.map(({ artifactId, kind }) => `${artifactId} (${kind})`);
}

export function stopTask({ run, task }: CallScene, { task: word, reason }: Of<'stop_task'>): Answered {
  const found = findTask(run, word);
  if (typeof found === 'string') return refuse(found);
  if (!isBelow(run, found, task))
    return refuse(`"${found.spec.name}" is not one of your children: you can stop only those and their descendants`);
  if (found.state === 'ended') return refuse(`"${found.spec.name}" has ended (${found.outcome?.kind ?? 'ended'})`);
  const by = `"${task.spec.name}"${reason === null ? '' : `: ${reason}`}`;
  const events = stopBelow(run, found, by);
  const asker = askerOf(run, found);
  const whom = asker === null || asker === task ? 'You are' : `"${asker.spec.name}", its parent, is`;
  const what = events.length === 0 ? 'is ending already' : 'and all below it are being stopped';
  return answer(`"${found.spec.name}" ${what}. ${whom} told when it has ended.`, ...events);
}

export function reportProgress({ task }: CallScene, { line, fraction }: Of<'report_progress'>): Answered {
  return answer('Noted.', { type: 'progress.reported', taskId: task.spec.id, line, fraction });
}

/** A phase ends by evidence, not by this call: the agent is told what is missing. */
export function completePhase({ run, task }: CallScene): Answered {
  const { phase } = task.spec;
  if (phase === null) return refuse('your task is in no phase');
  const asker = askerOf(run, task);
  if (asker !== null) return refuse(`phase "${phase}" is for "${asker.spec.name}" to complete, your parent`);
  const ofPhase = [...run.tasks.values()].filter(({ spec }) => spec.phase === phase);
  const milestone = ofPhase.find(({ spec }) => spec.kind === 'milestone') ?? null;
  // Children are their parents' concern and end with them.
  const others = ofPhase.filter(
    (each) => each !== milestone && askerOf(run, each) === null && !isRelated(run, each, task),
  );
  const open = others.filter(({ state }) => state !== 'ended');
  const below = descendants(run, task).filter(({ state }) => state !== 'ended');
  const missed = others.filter((each) => isMissed(run, milestone, each));
  const missing = [
    ...open.slice(0, namesMax).map(({ spec }) => `"${spec.name}" has not ended`),
    ...below.slice(0, namesMax).map(({ spec }) => `"${spec.name}", your child, has not ended`),
    ...missed.slice(0, namesMax).map(({ spec, outcome }) => `"${spec.name}" has ended (${outcome?.kind})`),
  ];
  if (missing.length > 0) return refuse(`phase "${phase}" is not complete:\n- ${missing.join('\n- ')}`);
  const isJudged = milestone !== null && milestone.spec.when !== null;
  const then = isJudged ? 'its exit condition decides' : 'it is complete';
  return answer(
    `All else of phase "${phase}" is done: ${then} when your own task has ended with its evidence. End your turn.`,
  );
}

/** Whether the way a task ended is not good enough for its phase. */
function isMissed(run: Run, milestone: Task | null, task: Task): boolean {
  const { outcome } = task;
  if (outcome === null || outcome.kind === 'succeeded' || outcome.kind === 'omitted') return false;
  const { id } = (matrixOf(run, task) ?? task).spec;
  return milestone?.spec.tolerates.includes(id) !== true;
}

const namesMax = 10;
