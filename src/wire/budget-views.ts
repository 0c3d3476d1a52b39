// Views of budgets: limit, spent, reserved, exhausted.

import { limitNames } from '../model/spending/budget.ts';
import * as z from './answer-shape.ts';

const what = z.enum(limitNames);

/** In whole units: tokens, millionths of a dollar, turns, milliseconds, agents. */
export const limitView = z.object({
  what,
  limit: z.number(),
  /** Including running turns, as far as known. */
  spent: z.number(),
  /** Reserved for running tasks and not yet spent. */
  reserved: z.number(),
});

/** The scope: a run, a task, all tasks of a matrix, or all runs of a day. */
const whose = {
  of: z.enum(['run', 'task', 'tree', 'day']),
  taskId: z.string().nullable(),
  task: z.string().nullable(),
};

export const exhaustedView = z.object({
  ...whose,
  /** The ask by which a person is notified and can raise it. */
  askId: z.string(),
  /** The same exhaustion has the same key. */
  key: z.string(),
  /** `unknown`: an unknown cost makes it impossible to count money. */
  what: z.enum([...limitNames, 'unknown']),
  limit: z.number(),
  spent: z.number().default(0),
  /** null: unknown for the day. */
  since: z.number().nullable(),
  /** One sentence. */
  words: z.string(),
});

export const budgetView = z.object({ ...whose, limits: z.array(limitView), exhausted: exhaustedView.nullable() });

export const budgetList = z.object({ budgets: z.array(budgetView) });

export type LimitView = z.output<typeof limitView>;
export type ExhaustedView = z.output<typeof exhaustedView>;
export type BudgetView = z.output<typeof budgetView>;
