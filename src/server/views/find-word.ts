// What a word typed by a person means: a run or a task, by id or name. Pure.

import { Fault } from '../../std/fault.ts';
import { nearest } from '../../std/nearest.ts';
import type { Found, RunView } from '../../wire/views.ts';

/**
 * Finds an id, a unique prefix of one, the name of a task of the newest run, of a run (the newest of that name), of a
 * task of an earlier run (of an open one, or else of the newest that has it), `run/task`, or a unique beginning of a name.
 */
export function findWord(runs: readonly RunView[], word: string): Found {
  const byId = runs.flatMap(({ id, tasks }): Found[] => {
    const tasksFound = tasks.filter((task) => task.id.startsWith(word)).map((task) => ({ runId: id, taskId: task.id }));
    return id.startsWith(word) ? [{ runId: id, taskId: null }, ...tasksFound] : tasksFound;
  });
  const exact = byId.find(({ runId, taskId }) => (taskId ?? runId) === word);
  if (exact !== undefined) return exact;
  const newest = runs.at(-1);
  const task = newest?.tasks.find(({ name }) => name === word);
  if (newest !== undefined && task !== undefined) return { runId: newest.id, taskId: task.id };
  const named = runs.findLast(({ name }) => name === word);
  if (byId.length === 0 && named !== undefined) return { runId: named.id, taskId: null };
  const elsewhere = byId.length === 0 ? findElsewhere(runs, word) : null;
  if (elsewhere !== null) return elsewhere;
  const [only, another] = byId;
  if (only !== undefined && another === undefined) return only;
  if (only !== undefined) {
    const ids = byId.slice(-5).map(({ runId, taskId }) => taskId ?? runId);
    throw new Fault('bad_request', `"${word}" is ambiguous (${ids.join(', ')}): give more characters`);
  }
  const inRun = findInRun(runs, word) ?? findBeginning(runs, word);
  if (inRun !== null) return inRun;
  const shown = runs.filter((run) => run === newest || run.state !== 'ended');
  const names = [...shown.flatMap(({ tasks }) => tasks), ...runs].map(({ name }) => name);
  const near = nearest(word, names);
  const hint = near.length === 0 ? 'list them with "signalbox ps --all"' : `did you mean ${near.join(', ')}?`;
  throw new Fault('not_found', `there is no run or task "${word}"; ${hint}`);
}

function findElsewhere(runs: readonly RunView[], word: string): Found | null {
  const having = runs.flatMap(({ id, name, state, tasks }) => {
    const task = tasks.find((each) => each.name === word);
    return task === undefined ? [] : [{ runId: id, taskId: task.id, run: name, isOver: state === 'ended' }];
  });
  const goingOn = having.filter(({ isOver }) => !isOver);
  if (goingOn.length > 1) {
    const which = goingOn.slice(-5).map(({ taskId, run }) => `${taskId} (${run})`);
    throw new Fault(
      'bad_request',
      `"${word}" is a task of several running runs: name one by its id: ${which.join(', ')}`,
    );
  }
  const found = goingOn[0] ?? having.at(-1);
  return found === undefined ? null : { runId: found.runId, taskId: found.taskId };
}

/** `run/task`, either of them a unique beginning. */
function findInRun(runs: readonly RunView[], word: string): Found | null {
  const [runWord = '', taskWord = '', ...more] = word.split('/');
  if (runWord === '' || taskWord === '' || more.length > 0) return null;
  const name = beginning(
    word,
    runs.map((run) => run.name),
    runWord,
  );
  const run = runs.findLast((each) => each.name === name || each.id === runWord);
  if (run === undefined) return null;
  const wanted = beginning(
    word,
    run.tasks.map((task) => task.name),
    taskWord,
  );
  const task = run.tasks.find((each) => each.name === wanted);
  return task === undefined ? null : { runId: run.id, taskId: task.id };
}

/** Of the newest run and its tasks first, then of all runs, of tasks of open runs, of any task. */
function findBeginning(runs: readonly RunView[], word: string): Found | null {
  const newest = runs.at(-1);
  const open = runs.filter(({ state }) => state !== 'ended');
  const namesOf = (some: readonly RunView[]): string[] => some.flatMap(({ tasks }) => tasks.map(({ name }) => name));
  const pools = [
    newest === undefined ? [] : [newest.name, ...namesOf([newest])],
    runs.map(({ name }) => name),
    namesOf(open),
    namesOf(runs),
  ];
  for (const pool of pools) {
    const name = beginning(word, pool, word);
    if (name !== null) return findWord(runs, name);
  }
  return null;
}

/** The only name that begins so; one that is exactly so comes before longer ones. */
function beginning(word: string, names: readonly string[], part: string): string | null {
  const found = [...new Set(names.filter((name) => name.startsWith(part)))];
  if (found.length <= 1 || found.includes(part)) return found.includes(part) ? part : (found[0] ?? null);
  const shown = found.slice(0, 5).join(', ');
  throw new Fault('bad_request', `"${word}" is the beginning of several names (${shown}): give more characters`);
}
