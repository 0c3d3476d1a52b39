// The schemas of retries, checks and landing in a plan file, and of the values they are made of.

import { z } from 'zod';
import { retryHows } from '../../model/core/retry-spec.ts';
import { checkRetriesMax } from '../../model/core/spec.ts';
import { coAuthorStyles, commitStyles } from '../../model/land/landing.ts';

/** Without dots: they separate the steps of a reference, and are part of the names of a matrix's tasks. */
export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/, 'a name has letters, digits, "_" and "-", at most 48 of them');

export const command = z.union([z.string().min(1), z.array(z.union([z.string(), z.number()])).min(1)], {
  error: 'a command is a text for the shell, or a list of a program and its arguments',
});
export const minutes = z.number().positive().max(10_080);

export const retry = z.strictObject({
  attempts: z.int().min(1).max(100).optional().describe('how many attempts there may be'),
  'delay-seconds': z.number().min(0).max(3_600).optional().describe('the first pause between two attempts; it doubles'),
  conflicts: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('further attempts for work that conflicts with what was integrated meanwhile'),
  'send-backs': z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('how often work that lacks evidence goes back to its author'),
  how: z
    .enum(retryHows)
    .optional()
    .describe(
      'whether a further attempt starts afresh or continues with the session and the work of the previous one; auto: decided from the record',
    ),
});

const checkWords = z.strictObject({
  name: name.optional(),
  run: command,
  'timeout-minutes': minutes.optional(),
  retries: z
    .int()
    .min(0)
    .max(checkRetriesMax)
    .optional()
    .describe(
      'how often a failing check is run again; if it passes then, it counts as passed and is reported as flaky',
    ),
});

export const check = z.union([z.string().min(1), checkWords], {
  error: 'a check is a command, or a mapping with "run"',
});

export const commits = z.enum(commitStyles);
export const coAuthor = z.enum(coAuthorStyles);

export const landing = z.strictObject({
  checks: z
    .array(check)
    .max(50)
    .optional()
    .describe("checks that must pass on every tree of the run's branch; by default the checks of all work on it"),
  into: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('the branch of your repository where the work lands, merged and checked, when every task has succeeded'),
  checkout: z.boolean().optional().describe('whether a clean checkout of that branch may be updated too'),
  commits: commits
    .optional()
    .describe("one commit per task (the default), the same with a merge commit, or the agents' own commits"),
  'co-author': coAuthor.optional().describe('how a commit names the agent (default: co-authored-by)'),
});
