// Decisions on budgets and limits, and on parked attempts that may continue.

import { canTakeSlot, isAsking, mayGoOn } from '../asks/asks-alone.ts';
import { openBudgetAsk, openBudgetAsks } from '../asks/find-asks.ts';
import { askForBudget } from '../asks/open-ask.ts';
import { intendLaunch, interrupted, relaunch, untoldTask } from '../attempt/relaunch.ts';
import { type Command, type Decision, decided, refused, stale } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { ownRecord } from '../messages/own-record.ts';
import { isInput } from '../messages/record-queue.ts';
import { knowsDay, type Shortage, shortageFor, tooManyAgents } from '../spending/allowance.ts';
import { type Budget, type BudgetScope, scopeName } from '../spending/budget.ts';
import { askPause, dueForPause, hasBudgets, noteOnReturn } from './parking.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideGoOn(run: Run, { attemptId, type: _, host: _h, ...admission }: Of<'goOn'>): Decision {
  const attempt = run.parked.get(attemptId);
  if (attempt === undefined || attempt.parking.parked === null || !canTakeSlot(attempt)) return stale(attemptId);
  const { why } = attempt.parking.parked;
  if (run.state !== 'running' || !mayGoOn(run, taskOf(run, attempt.taskId), why)) return stale(attemptId);
  const agent = agentOf(run, attempt.agentId);
  const goesOn: RunEventBody = { type: 'attempt.unparked', attemptId, ...admission };
  // Its process has been alive all the time.
  if (isAsking(attempt)) return decided([goesOn]);
  // A person's message tells the agent neither what happened nor to continue; only a record of ours does.
  const isTold = agent.mailbox.records.some((message) => isInput(message) && message.from === 'signalbox');
  if (why.kind === 'person') {
    const [intent, ...told] = relaunch(attempt, agent, why.inFlight);
    if (told.length === 0 && !isTold) told.push(interrupted(attempt, agent, why.inFlight));
    return decided([goesOn, intent, ...told]);
  }
  const remembers = agent.session !== null;
  const events: RunEventBody[] = [goesOn, intendLaunch(attempt, remembers), ...untoldTask(attempt, agent)];
  // An agent that waited gets what it waited for, and needs no note; nor does one that a person now tells what to do.
  if (remembers && !isTold && why.kind !== 'waits' && why.kind !== 'interrupt') {
    const note = noteOnReturn(why, taskOf(run, attempt.taskId).spec);
    events.push(ownRecord(attempt, { kind: 'text', text: note }));
  }
  return decided(events);
}

/** Facts that only the host knows, sent to the run before the decisions that need them. */
export function decideHostFact(run: Run, command: Of<'day' | 'lineSeen'>): Decision {
  return command.type === 'day' ? decideDay(run, command) : decideLineSeen(run, command);
}

function decideDay(run: Run, { limited, exhausted, timed = false }: Of<'day'>): Decision {
  if (knowsDay(run, { limited, exhausted, timed })) return refused('stale', 'that is known');
  return decided([{ type: 'budget.day', limited, exhausted, ...(timed ? { timed } : {}) }]);
}

function decideLineSeen(run: Run, { attemptId, closed }: Of<'lineSeen'>): Decision {
  if (run.live.get(attemptId)?.parking.closed === closed) return refused('stale', 'that is known');
  return run.live.has(attemptId) ? decided([{ type: 'attempt.lineSeen', attemptId, closed }]) : stale(attemptId);
}

export function decideLimits(run: Run, command: Of<'setBudget' | 'setLimits'>): Decision {
  if (command.type === 'setBudget') return setBudget(run, command.scope, command.budget, command.by);
  return setLimits(run, command);
}

/** Setting a budget also answers the ask for more, if there is one. */
export function setBudget(run: Run, scope: BudgetScope, budget: Budget, by: string): Decision {
  const task = scope.of === 'run' ? null : run.tasks.get(scope.taskId);
  if (task === undefined) return refused('unknown', 'no such task in this run');
  if (run.state === 'ended') return refused('notAllowed', 'the run has ended: resume it, then set its budget');
  if (scope.of === 'tree' && task?.spec.kind !== 'matrix') {
    return refused('notAllowed', `task "${task?.spec.name}" has no tasks below it: set the budget of the task itself`);
  }
  const asked = openBudgetAsk(run, scope);
  const answer = { approved: true, choice: null, by, message: null, values: null } as const;
  return decided([
    { type: 'budget.set', scope, budget, by },
    ...(asked === null ? [] : [{ type: 'ask.answered', askId: asked.id, ...answer } as const]),
  ]);
}

/** Lower limits stop nothing that exists: they hold for later spawns. */
function setLimits(run: Run, { limits, by }: Of<'setLimits'>): Decision {
  if (run.state === 'ended') return refused('notAllowed', 'the run has ended: resume it, then set its limits');
  return decided([{ type: 'limits.set', limits, by }]);
}

/** Checks budgets against the clock: opens one ask for each exhausted budget, and parks the attempts that depend on it. */
export function decideSpending(run: Run, now: number): RunEventBody[] {
  if (!hasBudgets(run)) return [];
  const events: RunEventBody[] = [];
  const told = new Set(openBudgetAsks(run).map(({ scope }) => scopeName(scope)));
  const shortages = new Map<Task, Shortage | null>();
  for (const task of waitingOrLive(run)) {
    const own = shortageFor(run, task, now);
    shortages.set(task, own);
    const shortage = own ?? tooManyAgents(run, task);
    if (shortage?.of !== 'scope' || told.has(scopeName(shortage.scope))) continue;
    const { scope, what, spent, limit } = shortage;
    // Only reserved for other attempts: it may come free without a person.
    if (what !== 'unknown' && spent < limit) continue;
    told.add(scopeName(scope));
    events.push(askForBudget(run, scope, { what, spent, limit }));
  }
  for (const { attempt, why } of dueForPause(run, shortages)) events.push(...askPause(attempt, why));
  return events;
}

/** Tasks at work, and ready tasks that lack a budget. */
function* waitingOrLive(run: Run): Iterable<Task> {
  for (const { taskId } of run.live.values()) yield taskOf(run, taskId);
  if (openBudgetAsk(run, { of: 'run' }) !== null) return;
  for (const { task } of run.ready.short) yield task;
}
