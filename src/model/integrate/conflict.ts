// What the author of conflicting work, or a resolver, is told: both sides with the task of each, where they are, and how to
// merge them. Bounded, and a function of the journal alone.

import { defined } from '../../std/defined.ts';
import type { EvidenceItem } from '../attempt/evidence-item.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEvent } from '../core/events.ts';
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
  /** It conflicts with a branch of the user's, and not with the run's own. `start`: where an agent begins that resolves it. */
  readonly landing?: { readonly branch: string; readonly start: string };
}

/** The work of the run with the branch that it was to land in. */
export function landingConflict(run: Run, told: Extract<RunEvent, { type: 'landing.sentBack' }>): Conflict {
  const { branch, commit: head, start, paths, pathsTotal, taskId } = told;
  const others = [...new Set(told.with.map(taskOfAttempt))].filter((id) => id !== taskId && run.tasks.has(id));
  const sides = { commit: run.integration.head, head, with: others, check: null, artifact: null };
  return { ...sides, paths, pathsTotal, landing: { branch, start } };
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
    target: conflict.landing?.branch ?? `the branch of ${run.spec?.name ?? ''}`,
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
  const { conflict } = task.integration;
  if (conflict?.landing !== undefined) {
    return [
      'Your work on this task is good by itself, but cannot land yet.',
      ...landingFacts(run, conflict, conflict.landing),
      'You go on with it now, in this conversation, in a new directory: the one you are in. Bring the two together so that both do what ' +
        'they were for, and end your turn as before.',
    ].join('\n\n');
  }
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
  if (conflict.landing !== undefined) return landingFacts(run, conflict, conflict.landing);
  const { commit, head, paths, pathsTotal, check } = conflict;
  const facts = [
    paths.length > 0
      ? `It conflicts with what was integrated, in: ${paths.slice(0, pathsShown).join(', ')}${more(pathsTotal)}.`
      : `It merges cleanly with what was integrated, but then ${check === null ? 'a check' : `check "${check.name}"`} fails:\n\n${quoted(check?.output ?? '')}`,
    ...(check?.log === undefined ? [] : [`read_output {"log": "${check.log}"} reads all that it printed.`]),
    `The work is commit ${commit}: "git show ${commit}" shows it, "git merge ${commit}" begins to bring it in. What it has to fit ` +
      `is commit ${head}.`,
  ];
  const others = othersOf(run, conflict).map(({ name, asked }) => {
    return `What integrated is the work of task "${name}", which was asked:\n\n${asked}`;
  });
  return [...facts, ...others, `All of this is in ~/${conflictFile}.`];
}

/** What another agent was asked is no order to this one. */
function othersOf(run: Run, conflict: Conflict): { name: string; asked: string }[] {
  return conflict.with.slice(0, othersShown).map((id) => {
    const other = taskOf(run, id);
    const asked = renderText(run, other, other.spec.prompt, null);
    const cut = asked.length > askedMax ? `${asked.slice(0, askedMax)} [cut]` : asked;
    return { name: other.spec.name, asked: quoted(cut) };
  });
}

function landingFacts(run: Run, conflict: Conflict, { branch }: NonNullable<Conflict['landing']>): string[] {
  const { commit, head, paths, pathsTotal } = conflict;
  const others = othersOf(run, conflict).map(({ name, asked }) => {
    return `The same files have work of task "${name}", which was asked:\n\n${asked}`;
  });
  return [
    `The work of this run conflicts with what others did on branch ${branch} meanwhile, in: ${paths.slice(0, pathsShown).join(', ')}${more(pathsTotal)}.`,
    `This directory has both merged, except those files: they are as on ${branch}, without the work of this run. ` +
      `"git diff ${head}...${commit} -- <file>" shows what this run changed in one, "git show ${commit}:<file>" how it was then. ` +
      'Change only what has to be changed to bring that in.',
    ...others,
    `All of this is in ~/${conflictFile}.`,
  ];
}

/** Below the home of the agent that merges both sides. */
export const conflictFile = 'inputs/conflict.json';

const pathsShown = 20;
const othersShown = 3;
const askedMax = 2_000;

function more(paths: number): string {
  return paths > pathsShown ? ` and ${paths - pathsShown} more` : '';
}

/** What an agent that resolves a conflict with the user's branch may change beyond the paths of its task. */
export function conflictGlobs({ integration: { conflict } }: Task): string[] {
  return conflict?.landing === undefined ? [] : conflict.paths.map((path) => path.replace(/[*?[{\\]/g, '\\$&'));
}
