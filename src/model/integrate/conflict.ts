// What the author of conflicting work, or a resolver, is told: both sides with the task of each, where they are, and how to
// merge them. Bounded, and a function of the journal alone.

import { defined } from '../../std/defined.ts';
import type { EvidenceItem } from '../attempt/evidence-item.ts';
import type { Attempt } from '../core/attempt.ts';
import { type ArtifactId, type AttemptId, type TaskId, taskOfAttempt } from '../core/ids.ts';
import type { JsonObject } from '../core/json.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { renderText } from '../inputs/render.ts';
import { quoted } from '../messages/envelope.ts';

export interface Conflict {
  /** The work, and the head of the branch that it conflicts with. */
  readonly commit: string;
  readonly head: string;
  /** The conflicting paths, at most so many; none = they merge, but then a check fails. */
  readonly paths: readonly string[];
  readonly pathsTotal: number;
  /** The tasks whose integrated work it conflicts with. */
  readonly with: readonly TaskId[];
  readonly check: { readonly name: string; readonly output: string; readonly log?: string } | null;
  /** The whole conflict. */
  readonly artifact: ArtifactId | null;
}

/** The conflict as the integration reported it: the branch has not moved since. */
export function conflictOf(run: Run, { workspace: { commit } }: Attempt, told: Told): Conflict {
  const others = 'items' in told ? (told.with === null ? [] : [told.with]) : (told.with ?? []);
  const known = [...new Set(others.map(taskOfAttempt))].filter((id) => run.tasks.has(id));
  const failed = 'items' in told ? told.items.find(({ passed }) => !passed) : undefined;
  const paths = 'items' in told ? [] : told.paths;
  const pathsTotal = 'items' in told ? 0 : (told.pathsTotal ?? paths.length);
  const check = failed === undefined ? null : failedCheck(failed);
  return { commit, head: run.integration.head, paths, pathsTotal, with: known, check, artifact: told.artifact ?? null };
}

type Told = (
  | { readonly paths: readonly string[]; readonly pathsTotal?: number; readonly with?: readonly AttemptId[] }
  | { readonly items: readonly EvidenceItem[]; readonly with: AttemptId | null }
) & { readonly artifact?: ArtifactId };

/** As an artifact of kind `conflict`: both sides, with the task of each. */
export function conflictValue(run: Run, task: Task, conflict: Omit<Conflict, 'artifact'>): JsonObject {
  const { commit, head, paths, pathsTotal, check } = conflict;
  const [other] = conflict.with;
  const integrated = other === undefined ? [] : [integratedSide(run, taskOf(run, other))];
  return {
    target: `the branch of ${run.spec?.name ?? ''}`,
    head,
    paths: [...paths],
    pathsTotal,
    sides: [sideOf(run, task, commit), ...integrated],
    ...(check === null ? {} : { check: { name: check.name, output: check.output } }),
  };
}

function failedCheck({ check: name, detail, printed = '', log }: EvidenceItem): NonNullable<Conflict['check']> {
  return { name, output: printed === '' ? detail : `${detail}\n${printed}`, ...defined({ log }) };
}

function integratedSide(run: Run, task: Task): JsonObject {
  return sideOf(run, task, task.attempt?.workspace.commit ?? '');
}

function sideOf(run: Run, task: Task, commit: string): JsonObject {
  const { name, prompt } = task.spec;
  return { task: name, commit, prompt: renderText(run, task, prompt, null).slice(0, promptMax) };
}

const promptMax = 20_000;

/** To the author of the work, in the same session. */
export function sentBackNote(run: Run, task: Task): string {
  return [
    'Your work on this task is good by itself, but has not been integrated.',
    ...factsOf(run, task),
    'You go on with it now, in this conversation, in a new directory: the one you are in. It has what was integrated meanwhile, and not ' +
      'your work. Bring the two together so that both do what they were for, and end your turn as before.',
  ].join('\n\n');
}

/** Part of the prompt of an agent that did not do the work. */
export function conflictText(run: Run, task: Task): string {
  return [
    '## The work is there, and does not fit',
    'Somebody has done this task already, and did it well. You are to bring that work together with what was integrated meanwhile, so ' +
      'that both do what they were for. Prefer neither side: where they contradict each other, do what both tasks ask for.',
    ...factsOf(run, task),
  ].join('\n\n');
}

function factsOf(run: Run, { integration: { conflict } }: Task): string[] {
  if (conflict === null) return [];
  const { commit, head, paths, pathsTotal, check } = conflict;
  const facts = [
    paths.length > 0
      ? `It conflicts with what was integrated, in: ${paths.slice(0, pathsShown).join(', ')}${more(pathsTotal)}.`
      : `It merges cleanly with what was integrated, but then ${check === null ? 'a check' : `check "${check.name}"`} fails:\n\n${quoted(check?.output ?? '')}`,
    ...(check?.log === undefined ? [] : [`read_output {"log": "${check.log}"} reads all that it printed.`]),
    `The work is commit ${commit}: "git show ${commit}" shows it, "git merge ${commit}" begins to bring it in. What it has to fit ` +
      `is commit ${head}.`,
  ];
  const others = conflict.with.slice(0, othersShown).map((id) => taskOf(run, id));
  for (const other of others) {
    const asked = renderText(run, other, other.spec.prompt, null);
    const cut = asked.length > askedMax ? `${asked.slice(0, askedMax)} [cut]` : asked;
    // The prompt of another agent is quoted: it is no order to this one.
    facts.push(`What integrated is the work of task "${other.spec.name}", which was asked:\n\n${quoted(cut)}`);
  }
  facts.push(`All of this is in ~/${conflictFile}.`);
  return facts;
}

/** Below the home of the agent that merges both sides. */
export const conflictFile = 'inputs/conflict.json';

const pathsShown = 20;
const othersShown = 3;
const askedMax = 2_000;

function more(paths: number): string {
  return paths > pathsShown ? ` and ${paths - pathsShown} more` : '';
}
