// Checks each task by itself: the names it uses, its paths, rules and schema.

import { flawOfRule } from '../../model/asks/permission.ts';
import type { HarnessRules } from '../../model/spending/harness-rules.ts';
import { didYouMean } from '../did-you-mean.ts';
import { schemaFlaw, valueFlaw } from '../file/json-schema.ts';
import { type Flaw, type Part, type PlanPath, type Problem, problemAt } from '../file/problem.ts';
import { keeps, type Plan, type PlanCommon, type PlanTask } from '../plan.ts';
import type { Roles } from '../role.ts';
import { pathFlaws as taskPathFlaws } from '../task-paths.ts';

export interface Known {
  readonly roles: Roles;
  readonly harnesses: HarnessRules;
}

type Tell = (path: PlanPath, flaw: Flaw, part?: Part) => void;

export function taskProblems(plan: Plan, known: Known): Problem[] {
  const problems: Problem[] = [];
  const tell: Tell = (path, flaw, part) => void problems.push(problemAt(plan.source, path, flaw, part));
  commonFlaws(plan.defaults, ['defaults'], known, tell);
  for (const harness of Object.keys(plan.limits.perHarness)) {
    if (!known.harnesses.names.includes(harness))
      tell(['limits', 'per-harness', harness], noHarness(harness, known), 'key');
  }
  const names = new Set(plan.tasks.map(({ name }) => name));
  for (const task of plan.tasks) {
    const path = ['tasks', task.name];
    commonFlaws(task, path, known, tell);
    needFlaws(task, names, tell);
    workFlaws(task, tell);
    pathFlaws(plan, task, tell);
    outputFlaws(plan, task, tell);
    if (task.phase !== null && !plan.phases.some(({ name }) => name === task.phase)) {
      const suggestion = didYouMean(
        task.phase,
        plan.phases.map(({ name }) => name),
      );
      tell([...path, 'phase'], { message: `there is no phase "${task.phase}"`, suggestion });
    }
  }
  return problems;
}

function noHarness(harness: string, known: Known): Flaw {
  return { message: `there is no harness "${harness}"`, suggestion: didYouMean(harness, known.harnesses.names) };
}

function commonFlaws(said: PlanCommon, path: PlanPath, known: Known, tell: Tell): void {
  const { harness, role, env, permissions, checks } = said;
  if (harness !== null && !known.harnesses.names.includes(harness))
    tell([...path, 'harness'], noHarness(harness, known));
  if (role !== null && !known.roles.has(role)) {
    const suggestion = didYouMean(role, [...known.roles.keys()]) ?? 'write one as .signalbox/roles/<name>.md';
    tell([...path, 'role'], { message: `there is no role "${role}"`, suggestion });
  }
  for (const name of Object.keys(env)) {
    const flaw = envFlaw(name, known);
    if (flaw !== null) tell([...path, 'env', name], flaw, 'key');
  }
  for (const [kind, rules] of Object.entries(permissions ?? {})) {
    for (const [i, rule] of rules.entries()) {
      const flaw = flawOfRule(rule);
      if (flaw !== null) tell([...path, 'permissions', kind, i], { message: flaw });
    }
  }
  for (const [i, { run }] of (checks ?? []).entries()) {
    if ([run].flat().some((text) => text.includes('${{'))) {
      tell([...path, 'checks', i], { message: 'a check has no references: it is the same for every try' });
    }
  }
}

function envFlaw(name: string, { harnesses }: Known): Flaw | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name)) return { message: `"${name}" is no name of a variable` };
  if (!/^(?:HOME|PATH|SIGNALBOX_.*)$/.test(name) && !harnesses.ownsVariable(name)) return null;
  return {
    message: `"${name}" cannot be set by a plan`,
    suggestion: 'what an agent is and may do is said by its harness',
  };
}

function needFlaws(task: PlanTask, names: ReadonlySet<string>, tell: Tell): void {
  for (const [i, need] of task.needs.entries()) {
    const path = ['tasks', task.name, 'needs', i];
    if (!names.has(need))
      tell(path, { message: `there is no task "${need}"`, suggestion: didYouMean(need, [...names]) });
    else if (need === task.name) tell(path, { message: `the task "${need}" needs itself` });
    else if (task.needs.indexOf(need) < i) tell(path, { message: `"${need}" is needed twice`, severity: 'warning' });
  }
}

function workFlaws({ name, work, setup, model, effort, role, harness, settings }: PlanTask, tell: Tell): void {
  const path = ['tasks', name];
  if (setup?.includes('${{') === true) {
    const suggestion = 'a setup is the same for all: what depends on values belongs into the work itself';
    tell([...path, 'setup'], { message: 'a command for the shell has no references', suggestion }, 0);
  }
  if (work.kind === 'prompt' || work.kind === 'gate') return;
  const texts =
    work.kind === 'shell' ? [work.text] : work.argv.flatMap((part) => (typeof part === 'string' ? [part] : []));
  if (work.kind === 'shell' && work.text.includes('${{')) {
    const suggestion =
      'put the value into "env" and write "$NAME", or give the command as a list: nothing is ever put into shell text';
    tell([...path, 'run'], { message: 'a command for the shell has no references', suggestion }, 0);
  }
  if (texts.some((text) => text.includes('{prompt}'))) {
    tell([...path, 'run'], {
      message: '"{prompt}" has a meaning of its own here',
      suggestion: 'a command has no prompt',
    });
  }
  const agents = Object.entries({ model, effort, role, harness }).filter(([, value]) => value !== null);
  for (const [word] of agents) {
    tell([...path, word], { message: `"${word}" is for agents, and this task runs a command` }, 'key');
  }
  if (Object.keys(settings).length > 0) {
    tell([...path, 'settings'], { message: '"settings" is for agents, and this task runs a command' }, 'key');
  }
}

function pathFlaws(plan: Plan, task: PlanTask, tell: Tell): void {
  for (const { word, index, flaw } of taskPathFlaws(task)) tell(['tasks', task.name, word, index], flaw);
  if (plan.interlock === 'strict' && task.writes === null && keeps(plan, task)) {
    const suggestion = 'list its paths, or [] if it only reads: "interlock: strict" demands it';
    tell(['tasks', task.name], { message: `the task "${task.name}" does not say what it writes`, suggestion }, 'key');
  }
}

function outputFlaws(plan: Plan, task: PlanTask, tell: Tell): void {
  const { output, example } = task;
  const path = ['tasks', task.name, 'output'];
  const flaw = output === null ? null : schemaFlaw(output);
  if (flaw !== null) return tell([...path, ...flaw.path], flaw);
  const accounts = plan.phases.some(({ name, accounts }) => name === task.phase && accounts);
  const isObject = output === null || output['type'] === 'object';
  if (!isObject && (task.work.kind === 'prompt' || accounts)) {
    const suggestion = 'write "type: object", and put what it gives under "properties"';
    tell(path, { message: 'the output of an agent is an object', suggestion });
  }
  if (example === undefined) return;
  const wrong = output === null ? 'the task declares no output' : valueFlaw(output, example);
  if (wrong !== null)
    tell(['tasks', task.name, 'example'], { message: `the example does not fit the output: ${wrong}` });
}
