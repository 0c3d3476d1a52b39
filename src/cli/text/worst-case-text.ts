// The worst-case cost of a run as text: a figure, what bounds it, and what has no limit. Pure.

import type { PerItem, Share, WorstCase, WorstSpending } from '../../plan/preview/worst-case.ts';
import { count, dollars, elapsed } from './figures.ts';

type Spent = keyof WorstCase['by'];

const amounts: Readonly<Record<Spent, (amount: number) => string>> = {
  microUsd: dollars,
  tokens: (amount) => `${count(amount)} tokens`,
  turns: (amount) => `${amount} turns`,
  timeMs: (amount) => `${elapsed(amount)} of work`,
};

const names: Readonly<Record<Spent, string>> = { microUsd: 'money', tokens: 'tokens', turns: 'turns', timeMs: 'time' };

export function amountText(what: Spent, amount: number): string {
  return amounts[what](amount);
}

/** Money always; other amounts only if something limits them. */
export function worstCaseLines({ attempts, by }: WorstCase): string[] {
  const told = (Object.keys(names) as Spent[]).filter((what) => {
    const { run, tasks } = by[what];
    return what === 'microUsd' || run !== null || tasks.known > 0 || tasks.perItem.length > 0;
  });
  return told.map((what, i) => {
    const head = i === 0 ? 'worst case: ' : ' '.repeat(12);
    return `${head}${worstText(what, by[what], i === 0 ? attempts : null)}`;
  });
}

/** `attempts`: null = do not mention them. */
export function worstText(what: Spent, worst: WorstSpending, attempts: Share | null): string {
  const { tasks, unlimited, run, atMost } = worst;
  if (unlimited.length === 0 && tasks.known === 0 && tasks.perItem.length === 0) return `no ${names[what]} is spent`;
  const tried = attempts === null ? '' : ` in ${attemptsText(attempts)}`;
  const isOfTasks = atMost !== null && atMost === tasks.known && unlimited.length + tasks.perItem.length === 0;
  if (isOfTasks) return `at most ${amountText(what, atMost)}${tried}`;
  const head = run === null ? `no limit on ${names[what]}` : `at most ${amountText(what, run)} (the run's budget)`;
  const asked = tasks.known + tasks.perItem.length === 0 ? null : shareText(tasks, (n) => amountText(what, n));
  const parts = [
    ...(asked === null ? [] : [`tasks alone could use ${asked}${tried}`]),
    ...(unlimited.length === 0 ? [] : [`tasks without a budget: ${listText(unlimited)}`]),
  ];
  return [head, ...parts].join('; ');
}

export function attemptsText(attempts: Share): string {
  return shareText(attempts, (n) => `${n} attempt${n === 1 ? '' : 's'}`);
}

function shareText({ known, perItem }: Share, text: (n: number) => string): string {
  const each = perItem.map(({ each, over }: PerItem) => `${text(each)} times the items of ${over}`);
  return [...(known > 0 || each.length === 0 ? [text(known)] : []), ...each].join(' and ');
}

const namesMax = 5;

function listText(tasks: readonly string[]): string {
  const more = tasks.length - namesMax;
  return more > 0 ? `${tasks.slice(0, namesMax).join(', ')} and ${more} more` : tasks.join(', ');
}
