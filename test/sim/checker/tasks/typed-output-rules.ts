// Rules on typed outputs: what an agent gave is what the journal says, no invalid value is an output, and an agent that gives a
// wrong one is told so three times and no more. Valid values are listed here, schema by schema.

import { type AttemptView, type LaunchView, launchesMax, troubledLaunches } from '../view/attempt-view.ts';
import type { Data, ResultLine, TaskData } from '../view/event-data.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';

/** How often an agent is told within one attempt. */
const refusalsMax = 3;

type Fields = Readonly<Record<string, unknown>>;

/** Every schema that simulated tasks declare, by its title. */
const fitting: Readonly<Record<string, (value: Fields) => boolean>> = {
  found: ({ n, items }) => Number.isInteger(n) && items !== undefined,
  note: ({ text, ok, ...more }) =>
    typeof text === 'string' && (ok === undefined || typeof ok === 'boolean') && Object.keys(more).length === 0,
};

export function hasOutput({ output = null, accounts = false }: TaskData): boolean {
  return output !== null || accounts;
}

/** Whether it is what the schema asks for; what it accounts for is another question. */
function fits({ output = null, accounts = false }: TaskData, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (output !== null && fitting[output.title ?? '']?.(value as Fields) === false) return false;
  return !accounts || accountOf(value as Fields) !== null;
}

/** What it says it was given; null: it does not say so in the way it was asked to. */
function accountOf({ summary, sources }: Fields): readonly string[] | null {
  const { used, rejected } = (sources ?? {}) as { used?: unknown; rejected?: unknown };
  if (typeof summary !== 'string' || !Array.isArray(used) || !Array.isArray(rejected)) return null;
  const told = (rejected as { id?: unknown; reason?: unknown }[]).every(
    ({ id, reason }) => typeof id === 'string' && typeof reason === 'string' && reason !== '',
  );
  return told ? [...(used as string[]), ...(rejected as { id: string }[]).map(({ id }) => id)] : null;
}

function isRight({ task: { spec }, inputs }: AttemptView, value: unknown): boolean {
  if (!fits(spec, value)) return false;
  if (spec.accounts !== true) return true;
  const named = accountOf(value as Fields) ?? [];
  return named.length === inputs.length && inputs.every((id) => named.includes(id));
}

export function typedEvent(view: View, attempt: AttemptView, type: string, data: Data): void {
  const { id, task, pause } = attempt;
  // A member that leaves its team owes it also where it rests without a process.
  const isOwed = type === 'output.refused' && task.spawning.team?.members.get(task)?.leaves === true;
  if (attempt.state !== 'running' && !(isOwed && pause.parked !== null)) return outOfPlace(view, attempt, type);
  if (type === 'output.given') {
    const { value = null, problems = [] } = data;
    if (!hasOutput(task.spec)) blame(view, 2, `${id} gave an output, and its task has none to give`);
    if (problems.length === 0 && !fits(task.spec, value)) {
      blame(view, 4, `an output of ${id} that does not fit its schema is recorded as right`);
    }
    if (problems.length > 0 && value !== null) blame(view, 4, `${id} gave a wrong output, which is in the record`);
    attempt.heard.outputs.push({ value, problems });
    attempt.given = { value, right: problems.length === 0 && isRight(attempt, value) };
    return;
  }
  attempt.refusals += 1;
  attempt.refused = true;
  if (attempt.refusals > refusalsMax)
    blame(view, 8, `${id} is told for the ${attempt.refusals}th time to mend its output`);
  if (attempt.given?.right === true) blame(view, 3, `${id} is told to mend its output, and that is right`);
  if (!hasOutput(task.spec)) blame(view, 3, `${id} is told to mend an output that its task does not have`);
}

/** The results that were read now, against their outputs in the journal. */
export function compareOutputs(view: View, launch: LaunchView, results: readonly ResultLine[]): void {
  const { attempt } = launch;
  const { outputs } = attempt.heard;
  const { spec } = attempt.task;
  const given = hasOutput(spec) ? results.filter(({ output }) => output !== undefined) : [];
  if (given.length !== outputs.length) {
    return blame(view, 1, `${launch.id} gave ${given.length} outputs, recorded are ${outputs.length}`);
  }
  given.forEach(({ output }, i) => {
    const recorded = outputs[i];
    if (recorded === undefined) return;
    const right = fits(spec, output);
    if (right !== (recorded.problems.length === 0)) {
      blame(view, 4, `an output of ${launch.id} ${right ? 'fits' : 'does not fit'} and is recorded otherwise`);
    } else if (right && JSON.stringify(recorded.value) !== JSON.stringify(output)) {
      blame(view, 1, `${launch.id} gave another output than the record has`);
    }
  });
}

/** An attempt is finished: is its output what the verdict says? */
export function checkGiven(view: View, attempt: AttemptView, reason: string | null): void {
  const { id, task, given, refusals } = attempt;
  if (!hasOutput(task.spec)) return;
  if (reason === null && given?.right !== true) {
    blame(view, 4, `${id} is finished well, and its output is ${given === null ? 'missing' : 'wrong'}`);
  }
  if (reason !== 'invalid-output' || attempt.turn !== 'ok') return;
  if (given?.right === true) blame(view, 3, `${id} failed for its output, which is right`);
  // An agent that was told and ended without a correction had its chance.
  const told = attempt.refused || refusals >= refusalsMax || troubledLaunches(attempt) >= launchesMax;
  if (!told && task.run.state === 'running') {
    blame(view, 8, `${id} failed for its output and was told so ${refusals} times only`);
  }
}
