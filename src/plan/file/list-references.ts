// Lists every reference of a plan with its place.

import type { Json } from '../../model/core/json.ts';
import { conditionRefs } from '../../model/inputs/condition.ts';
import type { Text } from '../../model/inputs/reference.ts';
import { isRef, type PlanCommon, type PlanTask } from '../plan.ts';
import { nthOf, parseText } from './expression.ts';
import type { Part, PlanPath } from './problem.ts';

export interface Mention {
  readonly ref: readonly string[];
  readonly path: PlanPath;
  readonly part?: Part;
  /** What holds it. A condition is evaluated before the items of a matrix are known; items before anything is. */
  readonly within: 'text' | 'condition' | 'matrix' | 'items' | 'defaults';
}

export function taskMentions(task: PlanTask): Mention[] {
  const path = ['tasks', task.name];
  const { work, matrix, when } = task;
  const out: Mention[] = envMentions(task, path, 'text');
  if (work.kind === 'prompt') out.push(...textMentions(work.prompt, [...path, 'prompt'], 'text'));
  if (work.kind === 'argv') {
    for (const [i, each] of work.argv.entries()) out.push(...textMentions(each, [...path, 'run', i], 'text'));
  }
  if (work.kind === 'gate') {
    const { message, shows } = work.gate;
    out.push(...textMentions(message, [...path, 'gate', 'message'], 'text'));
    for (const [i, shown] of shows.entries()) {
      if (shown.kind !== 'output') continue;
      out.push({ ref: ['tasks', shown.task, 'output'], path: [...path, 'gate', 'show', i], within: 'text' });
    }
  }
  for (const word of ['reads', 'writes'] as const) {
    for (const [i, each] of (task[word] ?? []).entries()) out.push(...textMentions(each, [...path, word, i], 'text'));
  }
  if (when !== null) {
    // If `when` is a mapping, its key is the name of the task.
    const said = conditionRefs(when).map((ref) => ({ ref, path: [...path, 'when', ref[1] ?? ''] }));
    out.push(...said.map((each) => ({ ...each, within: 'condition' as const })));
  }
  if (matrix !== null && isRef(matrix)) out.push({ ref: matrix.ref, path: [...path, 'matrix'], within: 'matrix' });
  else if (matrix !== null) out.push(...itemMentions(matrix, [...path, 'matrix']));
  return out;
}

export function envMentions({ env }: PlanCommon, path: PlanPath, within: Mention['within']): Mention[] {
  return Object.entries(env).flatMap(([name, text]) => textMentions(text, [...path, 'env', name], within));
}

function textMentions(text: Text, path: PlanPath, within: Mention['within']): Mention[] {
  if (typeof text === 'string') return [];
  return text.flatMap((part, i) =>
    typeof part === 'string' ? [] : [{ ref: part.ref, path, part: nthOf(text, i), within }],
  );
}

function itemMentions(value: Json, path: PlanPath): Mention[] {
  if (typeof value === 'string') {
    const parsed = value.includes('${{') ? parseText(value) : null;
    return parsed?.ok === true ? textMentions(parsed.value, path, 'items') : [];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => itemMentions(each, [...path, key]));
}
