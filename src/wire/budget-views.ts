// What the daemon tells of budgets: what each allows, what of it is spent, and which are used up.

import { limitNames } from '../model/spending/budget.ts';
import * as z from './answer-shape.ts';

const what = z.enum(limitNames);

/** In whole units: tokens, millionths of a dollar, turns, milliseconds, agents. */
export const limitView = z.object({
  what,
  limit: z.number(),
  /** Turns under way included, as far as they are known. */
  spent: z.number(),
  /** Set apart for tasks at work, and not spent by them yet. */
  reserved: z.number(),
});

/** Whose: of the run, of a task, of a task with all below it, of the day over all runs. */
const whose = {
  of: z.enum(['run', 'task', 'tree', 'day']),
  taskId: z.string().nullable(),
  task: z.string().nullable(),
};

export const exhaustedView = z.object({
  ...whose,
  /** The ask by which a person is told, and which takes more. */
  askId: z.string(),
  /** The same exhaustion has the same key. */
  key: z.string(),
  /** `unknown`: what something cost is not known, so that money cannot be counted. */
  what: z.enum([...limitNames, 'unknown']),
  limit: z.number(),
  spent: z.number().default(0),
  /** null: of the day nobody knows. */
  since: z.number().nullable(),
  /** One sentence. */
  words: z.string(),
});

export const budgetView = z.object({ ...whose, limits: z.array(limitView), exhausted: exhaustedView.nullable() });

export const budgetList = z.object({ budgets: z.array(budgetView) });

export type LimitView = z.output<typeof limitView>;
export type ExhaustedView = z.output<typeof exhaustedView>;
export type BudgetView = z.output<typeof budgetView>;
