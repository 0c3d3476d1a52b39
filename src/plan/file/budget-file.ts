// The schema of budgets in a plan file. budget-from.ts reads their amounts.

import { z } from 'zod';

const amount = (example: string) =>
  z.union([z.number(), z.string()], { error: `this takes an amount, as in ${example}` }).optional();

export const budgetFile = z.union(
  [
    z.string().regex(/^\$/, 'an amount by itself is money, as in $5'),
    z.strictObject({
      usd: amount('5').describe('money'),
      tokens: amount('2M').describe('tokens read and written, without those read from a cache'),
      turns: amount('500').describe('requests to the model'),
      time: amount('2h').describe('time of working agents, added up'),
      agents: z.int().min(1).max(1_000_000).optional().describe('how many agents may start, over all attempts'),
    }),
  ],
  { error: 'a budget is money, as in $5, or a mapping with "usd", "tokens", "turns", "time" or "agents"' },
);

export type BudgetFile = z.output<typeof budgetFile>;
