// Checks that every reference leads somewhere: to a task that has ended by then, to a value in its schema, to an input.

import { conditionRefs } from '../../model/inputs/condition.ts';
import { refRoots } from '../../model/inputs/reference.ts';
import { didYouMean } from '../did-you-mean.ts';
import { pathText } from '../file/expression.ts';
import { envMentions, type Mention, taskMentions } from '../file/list-references.ts';
import { endWords, taskWords, walkItem, walkOutput } from '../file/output-schemas.ts';
import { type Flaw, type Problem, problemAt } from '../file/problem.ts';
import { isObject, type Schema, typesOf, typeWords, variants, type Walked } from '../file/schema-walk.ts';
import { isRef, type Plan, type PlanTask } from '../plan.ts';
import { type Graph, milestoneOf } from '../task-graph.ts';

/** `graph`: null if needs form a cycle, so that the order of tasks is unknown. */
export function referenceProblems(plan: Plan, graph: Graph | null): Problem[] {
  const byName = new Map(plan.tasks.map((task) => [task.name, task]));
  const tell = (mention: Mention, about: Asker): Problem[] => {
    const flaw = flawOf(mention, about, { plan, graph, byName });
    return flaw === null ? [] : [problemAt(plan.source, mention.path, flaw, mention.part)];
  };
  const defaults = envMentions(plan.defaults, ['defaults'], 'defaults');
  const exits = plan.phases.flatMap((phase, i) =>
    conditionRefs(phase.exit ?? { op: 'value', value: true }).flatMap((ref) =>
      tell({ ref, path: ['phases', i, 'exit'], within: 'condition' }, { name: milestoneOf(phase.name), task: null }),
    ),
  );
  return [
    ...defaults.flatMap((mention) => tell(mention, { name: '', task: null })),
    ...exits,
    ...plan.tasks.flatMap((task) => taskMentions(task).flatMap((each) => tell(each, { name: task.name, task }))),
    ...plan.tasks.flatMap((task) => matrixProblems(plan, task, byName)),
  ];
}

/** The task that holds the reference; null for the milestone of a phase. */
interface Asker {
  readonly name: string;
  readonly task: PlanTask | null;
}

interface World {
  readonly plan: Plan;
  readonly graph: Graph | null;
  readonly byName: ReadonlyMap<string, PlanTask>;
}

/** Inputs are replaced by their values before the model sees a reference. */
const roots = [...refRoots, 'inputs'];
const ofRun: Readonly<Record<string, readonly string[]>> = { run: ['id', 'name'], task: ['name', 'attempt'] };

function flawOf(mention: Mention, asker: Asker, world: World): Flaw | null {
  const [root = '', ...path] = mention.ref;
  if (root === 'inputs') return inputFlaw(mention, world.plan);
  if (mention.within === 'items') {
    return {
      message: `"${pathText(mention.ref)}" is not known before the run`,
      suggestion: 'only inputs may stand in a literal list',
    };
  }
  if (mention.within === 'defaults' && (root === 'tasks' || root === 'matrix')) {
    return {
      message: `"${pathText(mention.ref)}" cannot stand in defaults`,
      suggestion: 'put it into the task it is for',
    };
  }
  if (root === 'tasks') return taskFlaw(mention, asker, world);
  if (root === 'matrix') return itemFlaw(mention, asker, world);
  const known = ofRun[root];
  if (known === undefined) {
    const suggestion = root === 'needs' ? 'write "tasks"' : didYouMean(root, roots);
    return { message: `a reference cannot begin with "${root}"`, suggestion };
  }
  if (path.length === 1 && known.includes(path[0] ?? '')) return null;
  return { message: `"${pathText(mention.ref)}" leads nowhere`, suggestion: didYouMean(path[0] ?? '', known) };
}

function inputFlaw({ ref: [, name = '', ...rest] }: Mention, { inputs }: Plan): Flaw | null {
  const input = inputs.find((each) => each.name === name);
  if (input === undefined) {
    return {
      message: `there is no input "${name}"`,
      suggestion:
        didYouMean(
          name,
          inputs.map((each) => each.name),
        ) ?? 'declare it under "inputs"',
    };
  }
  if (rest.length === 0 || input.type === 'json') return null;
  return { message: `the input "${name}" is a ${input.type}, which has no "${rest[0] ?? ''}"`, suggestion: null };
}

function taskFlaw({ ref }: Mention, asker: Asker, { graph, byName }: World): Flaw | null {
  const [, name = '', what, ...rest] = ref;
  const other = byName.get(name);
  if (other === undefined) {
    return { message: `there is no task "${name}"`, suggestion: didYouMean(name, [...byName.keys()]) };
  }
  if (name === asker.name) return { message: 'a task cannot refer to itself' };
  if (graph !== null && !graph.waitsFor(asker.name, name)) {
    const suggestion =
      asker.task === null ? 'a phase knows its own tasks and those before' : `add "${name}" to its needs`;
    return { message: `"${pathText(ref)}" may not be known yet: nothing here waits for "${name}"`, suggestion };
  }
  if (endWords.some((word) => word === what) && rest.length === 0) return null;
  const isArtifact = what === 'artifact' && rest.length === 0 && other.work.kind !== 'gate';
  if (what !== 'output' && !isArtifact) {
    return { message: `of a task there is no "${what ?? ''}"`, suggestion: didYouMean(what ?? '', taskWords) };
  }
  if (other.output === null) {
    if (other.work.kind === 'gate') {
      return { message: `the gate "${name}" has nothing to fill in`, suggestion: 'give it a "form"' };
    }
    return { message: `the task "${name}" declares no output`, suggestion: 'give it an "output" with a JSON Schema' };
  }
  return isArtifact ? null : walkFlaw(walkOutput(other, rest), ref, 3);
}

function itemFlaw({ ref, within }: Mention, { task }: Asker, { byName }: World): Flaw | null {
  if (task === null || task.matrix === null) return { message: 'there is no item here: the task has no matrix' };
  if (within === 'matrix') return { message: 'a list cannot be made of its own items' };
  return walkFlaw(
    walkItem(task, ref.slice(1), (name) => byName.get(name) ?? null),
    ref,
    1,
  );
}

function walkFlaw(walked: Walked, ref: readonly string[], from: number): Flaw | null {
  if (walked.kind === 'there') return null;
  const part = ref[from + walked.at] ?? '';
  const above = pathText(ref.slice(0, from + walked.at));
  return {
    message: `"${pathText(ref)}" leads nowhere: of ${above}, ${walked.why}`,
    suggestion: didYouMean(part, walked.known),
  };
}

/** Checks that a matrix over an output is over a list that can have items. */
function matrixProblems({ source, inputs }: Plan, task: PlanTask, byName: World['byName']): Problem[] {
  const { matrix } = task;
  if (matrix === null || !isRef(matrix)) return [];
  const [root, name = '', what, ...rest] = matrix.ref;
  const told = (flaw: Flaw): Problem[] => [problemAt(source, ['tasks', task.name, 'matrix'], flaw)];
  if (root === 'inputs') {
    const input = inputs.find((each) => each.name === name);
    if (input === undefined || input.type === 'json') return [];
    return told({
      message: `a matrix needs a list, and the input "${name}" is a ${input.type}`,
      suggestion: 'give it "type: json"',
    });
  }
  const other = byName.get(name);
  if (root !== 'tasks') return told({ message: 'a matrix is made over an output or an input', suggestion: null });
  if (other === undefined || what !== 'output' || other.output === null) {
    const is = what === 'result' ? 'a result is a text' : `"${what ?? ''}" is a number`;
    const isEnd = endWords.some((word) => word === what);
    return isEnd ? told({ message: `a matrix needs a list, and ${is}` }) : [];
  }
  const walked = walkOutput(other, rest);
  if (walked.kind === 'missing' || walked.schema === null) return [];
  const forms = variants(walked.schema, other.output);
  const lists = forms.filter((form) => typesOf(form)?.includes('array') ?? true);
  if (lists.length > 0) return lists.every(isEmptyList) ? told(alwaysEmpty) : emptyWarning(task, lists, told);
  const is = [...new Set(forms.flatMap((form) => typesOf(form) ?? []))].map((type) => typeWords[type] ?? type);
  return told({
    message: `a matrix needs a list, and ${pathText(matrix.ref)} is ${is.join(' or ')}`,
    suggestion: listInside(forms, matrix.ref),
  });
}

const alwaysEmpty: Flaw = { message: 'a matrix over a list that is always empty' };

/** A matrix without items fails, so a plan should handle that case. */
function emptyWarning(task: PlanTask, lists: readonly Schema[], told: (flaw: Flaw) => Problem[]): Problem[] {
  const { when, matrix } = task;
  const path = matrix !== null && isRef(matrix) ? pathText(matrix.ref) : '';
  const isThoughtOf = when !== null && conditionRefs(when).some((ref) => pathText(ref).startsWith(path));
  if (isThoughtOf || lists.every((form) => isObject(form) && Number(form['minItems'] ?? 0) > 0)) return [];
  const suggestion = `add "when: \${{ ${path}.length != 0 }}" to leave it out then, or "minItems: 1" to the schema`;
  return told({ message: `${path} may be empty, and a matrix over nothing fails`, suggestion, severity: 'warning' });
}

function isEmptyList(form: Schema): boolean {
  return isObject(form) && form['maxItems'] === 0;
}

/** A list inside of the value, to suggest instead. */
function listInside(forms: readonly Schema[], ref: readonly string[]): string | null {
  for (const form of forms) {
    const properties = isObject(form) ? form['properties'] : null;
    if (!isObject(properties ?? undefined)) continue;
    const found = Object.entries(properties as Record<string, Schema>).find(([, each]) =>
      typesOf(each)?.includes('array'),
    );
    if (found !== undefined) return `did you mean ${pathText([...ref, found[0]])}?`;
  }
  return null;
}
