// Finds conditions that can never be true, comparisons that make no sense, and tasks that can therefore never run. It knows the
// possible values of each side. Inputs count as unknown: they exist to switch tasks on and off.

import type { Json } from '../../model/core/json.ts';
import type { Condition } from '../../model/inputs/condition.ts';
import { didYouMean } from '../did-you-mean.ts';
import { pathText } from '../file/expression.ts';
import { results, walkOutput } from '../file/output-schemas.ts';
import { type Flaw, type PlanPath, type Problem, problemAt } from '../file/problem.ts';
import { isObject, type Schema, typesOf, typeWords, variants } from '../file/schema-walk.ts';
import type { Plan, PlanTask } from '../plan.ts';
import type { Graph } from '../task-graph.ts';

export function conditionProblems(plan: Plan, graph: Graph): Problem[] {
  const byName = new Map(plan.tasks.map((task) => [task.name, task]));
  const domain: Domain = (ref) => domainOf(ref, plan, byName);
  const never = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { name, task, phase, when, needs, tolerates } of graph.order) {
    const path: PlanPath =
      task === null ? ['phases', plan.phases.findIndex((each) => each === phase), 'exit'] : ['tasks', name, 'when'];
    const told = when === null ? [] : comparisonFlaws(when, domain);
    problems.push(...told.map((flaw) => problemAt(plan.source, path, flaw)));
    const what =
      task === null ? `the phase "${phase?.name ?? ''}" can never end well` : `the task "${name}" can never run`;
    const dead = needs.find((need) => never.has(need) && !tolerates.includes(need));
    if (when !== null && !canHold(when, domain)) {
      never.set(name, what);
      if (told.length === 0)
        problems.push(problemAt(plan.source, path, { message: `${what}: its condition never holds` }));
    } else if (dead !== undefined) {
      never.set(name, what);
      // For tasks that wait for a phase, the phase itself is reported.
      if (task !== null && byName.has(dead)) {
        const message = `${what}: it needs "${dead}", which can never run`;
        problems.push(problemAt(plan.source, ['tasks', name, 'needs'], { message }));
      }
    }
  }
  return problems;
}

/** The possible values of a reference: one of a list, or any of some types. null: anything. */
type Possible = { readonly values: readonly Json[] } | { readonly types: readonly string[] } | null;
type Domain = (ref: readonly string[]) => Possible;

function domainOf(ref: readonly string[], plan: Plan, byName: ReadonlyMap<string, PlanTask>): Possible {
  const [root, name = '', what, ...rest] = ref;
  if (root === 'inputs') {
    const input = plan.inputs.find((each) => each.name === name);
    return input?.type === 'boolean' ? { values: [true, false] } : null;
  }
  const other = root === 'tasks' ? byName.get(name) : undefined;
  if (other === undefined) return null;
  if (what === 'result') return { values: results };
  if (what === 'succeeded' || what === 'total') return { types: ['integer'] };
  if (what !== 'output' || other.output === null) return null;
  const walked = walkOutput(other, rest);
  if (walked.kind === 'missing' || walked.schema === null) return null;
  return possibleOf(variants(walked.schema, other.output));
}

function possibleOf(forms: readonly Schema[]): Possible {
  const each = forms.map((form): Possible => {
    if (!isObject(form)) return null;
    if (form['const'] !== undefined) return { values: [form['const']] };
    if (Array.isArray(form['enum'])) return { values: form['enum'] as readonly Json[] };
    const types = typesOf(form);
    if (types?.length === 1 && types[0] === 'boolean') return { values: [true, false] };
    return types === null ? null : { types };
  });
  if (each.every((one) => one !== null && 'values' in one))
    return { values: each.flatMap(({ values }) => [...values]) };
  if (each.some((one) => one === null || 'values' in one)) return null;
  return { types: each.flatMap((one) => (one !== null && 'types' in one ? one.types : [])) };
}

function comparisonFlaws(condition: Condition, domain: Domain): Flaw[] {
  if (condition.op === 'value' || condition.op === 'ref') return [];
  const { left, right } = condition;
  if (condition.op === '&&' || condition.op === '||') {
    return [...comparisonFlaws(left, domain), ...comparisonFlaws(right, domain)];
  }
  const [ref, other] = left.op === 'ref' ? [left, right] : [right, left];
  if (ref.op !== 'ref' || other.op !== 'value' || other.value === null) return [];
  const possible = domain(ref.ref);
  if (possible === null) return [];
  const said = `${pathText(ref.ref)} is never ${JSON.stringify(other.value)}`;
  if ('values' in possible) {
    if (possible.values.includes(other.value)) return [];
    return [{ message: said, suggestion: didYouMean(String(other.value), possible.values.map(String)) }];
  }
  if (possible.types.some((type) => fitsType(other.value, type))) return [];
  const types = possible.types.map((type) => typeWords[type] ?? type);
  return [{ message: `${said}: it is ${types.join(' or ')}`, suggestion: null }];
}

function fitsType(value: Json, type: string): boolean {
  return type === 'number' || type === 'integer' ? typeof value === 'number' : typeof value === type;
}

function canHold(condition: Condition, domain: Domain): boolean {
  const values = valuesOf(condition, domain);
  return values === null || values.some(Boolean);
}

/** All possible values of a condition; null = anything. A missing value is null, so null is always among them. */
function valuesOf(condition: Condition, domain: Domain): readonly Json[] | null {
  if (condition.op === 'value') return [condition.value];
  if (condition.op === 'ref') {
    const possible = domain(condition.ref);
    return possible !== null && 'values' in possible ? [...possible.values, null] : null;
  }
  const [left, right] = [valuesOf(condition.left, domain), valuesOf(condition.right, domain)];
  if (condition.op === '&&' || condition.op === '||') {
    const and = condition.op === '&&';
    const truths = (values: readonly Json[] | null): boolean[] => (values ?? [true, false]).map(Boolean);
    return truths(left).flatMap((a) => truths(right).map((b) => (and ? a && b : a || b)));
  }
  if (left === null || right === null) return [true, false];
  const same = left.flatMap((a) => right.map((b) => a === b));
  return condition.op === '==' ? same : same.map((each) => !each);
}
