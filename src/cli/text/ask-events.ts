// Events about asks as lines. Pure.

import type { RunEvent } from '../../wire/event-names.ts';
import { budgetWords } from './budget-text.ts';

export function answeredWords({
  words,
  answers,
  choice,
  approved,
}: Extract<RunEvent, { type: 'ask.answered' }>): string {
  if (words !== undefined || answers !== undefined) return 'answered';
  return choice ?? (approved ? 'approved' : 'rejected');
}

export function askedWords(
  event: Extract<RunEvent, { type: 'ask.opened' }>,
  names: ReadonlyMap<string, string>,
): string {
  if (event.kind === 'permission') {
    return `asks whether it may use ${event.request.tool}: signalbox inbox, signalbox approve ${event.askId}`;
  }
  if ('request' in event) {
    const [first] = event.request.questions ?? [];
    return `asks you: ${firstLine(first?.question ?? '')} (to answer: signalbox inbox)`;
  }
  if (event.kind !== 'budget') return `asks you: ${firstLine(event.message)} (to answer: signalbox inbox)`;
  const { scope, what, spent, limit } = event;
  const how = what === 'unknown' ? ': some of its cost is unknown' : `: ${budgetWords([{ what, spent, limit }])}`;
  return `the budget of ${whoseName(scope, names)} is exhausted${how}`;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

export function whoseName(scope: BudgetScope, names: ReadonlyMap<string, string>): string {
  if (scope.of === 'run') return 'the run';
  return `${scope.of === 'tree' ? 'all tasks of ' : ''}${names.get(scope.taskId) ?? scope.taskId}`;
}

type BudgetScope = Extract<RunEvent, { type: 'budget.set' }>['scope'];
