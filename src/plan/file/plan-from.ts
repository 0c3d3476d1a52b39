// Turns the value of a plan file into a Plan: checks it against the schema and parses its texts and conditions. Plans in YAML
// and in TypeScript both come to this value.

import { isNamedKind, kindSchemas, namedKinds } from '../../model/attempt/artifact-kinds.ts';
import type { Json, JsonObject } from '../../model/core/json.ts';
import { type LandingHistory, usualHistory } from '../../model/land/landing.ts';
import { defined } from '../../std/defined.ts';
import { didYouMean } from '../did-you-mean.ts';
import { taskOptions } from '../option-names.ts';
import { type Plan, type PlanLimits, type PlanPhase, type PlanTask, usualPhases, type Work } from '../plan.ts';
import { globsFrom } from '../task-paths.ts';
import { budgetOf } from './budget-from.ts';
import { childrenFrom } from './children-file.ts';
import { checksOf, withCommon, withPlain } from './common-from.ts';
import { parseWholePath } from './expression.ts';
import { formSchema, gateFlaws, gateOf } from './gate-from.ts';
import { type PlanFile, planFile, type TaskFile } from './plan-file.ts';
import { hasErrors, inOrder, type PlanPath, type Problem, type Source } from './problem.ts';
import { createReading, type Reading } from './read-values.ts';
import { shapeProblems } from './shape-problems.ts';
import { enoughCondition, isEnough } from './when-mapping.ts';

export interface PlanRead {
  readonly plan: Plan | null;
  readonly problems: readonly Problem[];
}

export function planFrom(raw: unknown, source: Source): PlanRead {
  const shape = planFile.safeParse(raw);
  if (!shape.success)
    return { plan: null, problems: inOrder(shapeProblems(source, planFile, raw, shape.error.issues)) };
  const reading = createReading(source);
  const plan = planOf(shape.data, reading);
  return { plan: hasErrors(reading.problems) ? null : plan, problems: inOrder(reading.problems) };
}

function planOf(file: PlanFile, reading: Reading): Plan {
  return {
    source: reading.source,
    name: file.name,
    description: file.description ?? null,
    inputs: Object.entries(file.inputs ?? {}).map(([name, { type = 'string', description, ...rest }]) => {
      return { name, type, default: rest.default as Json | undefined, description: description ?? null };
    }),
    defaults: withCommon({}, file.defaults ?? {}, ['defaults'], reading),
    limits: limitsFrom(file.limits, ['limits'], reading),
    landing: {
      checks: checksOf(file.landing?.checks),
      into: file.landing?.into ?? null,
      checkout: file.landing?.checkout ?? false,
      history: historyOf(file.landing),
    },
    interlock: file.interlock ?? 'open',
    phases: file.phases === undefined ? usualPhases : phasesOf(file.phases, reading),
    tasks: Object.keys(file.tasks).map((name) => taskOf(name, file, reading)),
  };
}

export function limitsFrom(given: PlanFile['limits'], path: PlanPath, reading: Reading): PlanLimits {
  return {
    maxParallel: given?.['max-parallel'] ?? null,
    perHarness: given?.['per-harness'] ?? {},
    budget: budgetOf(given?.budget, [...path, 'budget'], reading),
    confirmAbove: budgetOf(given?.['confirm-above'], [...path, 'confirm-above'], reading),
    agents: childrenFrom(given?.agents),
  };
}

function phasesOf(phases: NonNullable<PlanFile['phases']>, reading: Reading): PlanPhase[] {
  const out: PlanPhase[] = [];
  for (const [i, given] of phases.entries()) {
    const said = typeof given === 'string' ? { name: given } : given;
    const usual = usualPhases.find(({ name }) => name === said.name);
    if (out.some(({ name }) => name === said.name)) {
      reading.wrong(['phases', i], { message: `the phase "${said.name}" is listed twice` });
    }
    out.push({
      name: said.name,
      exit: reading.condition(said.exit, ['phases', i, 'exit']),
      throwAway: said['throw-away'] ?? usual?.throwAway ?? false,
      accounts: said.accounts ?? usual?.accounts ?? false,
    });
  }
  return out;
}

function taskOf(name: string, { tasks }: PlanFile, reading: Reading): PlanTask {
  const path = ['tasks', name];
  const task = tasks[name] as TaskFile;
  const work = workOf(task, path, reading);
  const { output, outputKind } =
    work.kind === 'gate' ? ownOutput(formSchema(work.gate.form)) : outputOf(task.output, [...path, 'output'], reading);
  const own = {
    name,
    work,
    needs: needsOf(name, task, tasks),
    when: isEnough(task.when) ? enoughCondition(task.when) : reading.condition(task.when, [...path, 'when']),
    matrix: matrixOf(task.matrix, [...path, 'matrix'], reading),
    reads: globsFrom(task.reads, [...path, 'reads'], reading),
    writes: task.writes === undefined ? null : globsFrom(task.writes, [...path, 'writes'], reading),
    output,
    outputKind,
    example: task.example as Json | undefined,
    settings: Object.fromEntries(Object.entries(task.settings ?? {}).map(([key, value]) => [key, String(value)])),
  };
  return withCommon(withPlain(own, task, taskOptions), task, path, reading);
}

const listOf = (given: string | string[] | undefined): string[] =>
  typeof given === 'string' ? [given] : (given ?? []);

/** Tasks named in `when` are needs as well. Unknown names are reported there. */
function needsOf(name: string, { needs, when }: TaskFile, tasks: PlanFile['tasks']): string[] {
  const named = isEnough(when) ? Object.keys(when) : [];
  const more = named.filter((each) => each !== name && Object.hasOwn(tasks, each) && !listOf(needs).includes(each));
  return [...listOf(needs), ...more];
}

function workOf(task: TaskFile, path: PlanPath, reading: Reading): Work {
  const { prompt, run, gate } = task;
  if (gate !== undefined) {
    gateFlaws(task, path, reading);
    return { kind: 'gate', gate: gateOf(gate, [...path, 'gate'], reading) };
  }
  if ((prompt === undefined) === (run === undefined)) {
    const message = prompt === undefined ? 'the task says nothing to do' : 'the task has both "prompt" and "run"';
    const suggestion = 'give it a "prompt" for an agent, a command to "run", or a "gate" for a person';
    reading.wrong(path, { message, suggestion }, 'key');
  }
  if (run === undefined) return { kind: 'prompt', prompt: reading.text(prompt ?? ' ', [...path, 'prompt']) };
  if (typeof run !== 'string') {
    return { kind: 'argv', argv: run.map((each, i) => reading.text(each, [...path, 'run', i])) };
  }
  return { kind: 'shell', text: run };
}

function matrixOf(given: TaskFile['matrix'], path: PlanPath, reading: Reading): PlanTask['matrix'] {
  if (given === undefined) return null;
  if (typeof given !== 'string') return given as Json[];
  const parsed = parseWholePath(given);
  if (parsed?.ok === true) return parsed.value;
  reading.wrong(path, {
    message: parsed?.flaw.message ?? 'a matrix is a list, or a reference to one',
    suggestion: 'write a list, or a path as in ${{ tasks.find.output.bugs }}',
  });
  return null;
}

type Output = Pick<PlanTask, 'output' | 'outputKind'>;

const ownOutput = (output: JsonObject | null): Output => ({ output, outputKind: null });

/** A schema, or the name of a kind that has one. */
function outputOf(given: TaskFile['output'], path: PlanPath, reading: Reading): Output {
  if (typeof given !== 'string') return ownOutput(given ?? null);
  if (isNamedKind(given)) return { output: kindSchemas[given], outputKind: given };
  const suggestion = didYouMean(given, namedKinds);
  reading.wrong(path, { message: `there is no kind of artifact "${given}"`, suggestion });
  return ownOutput(null);
}

/** null: nothing is said of it. */
export function historyOf(
  landing: Pick<NonNullable<PlanFile['landing']>, 'commits' | 'co-author'> | undefined,
): LandingHistory | null {
  const { commits, 'co-author': coAuthor } = landing ?? {};
  if (commits === undefined && coAuthor === undefined) return null;
  return { ...usualHistory, ...defined({ commits, coAuthor }) };
}
