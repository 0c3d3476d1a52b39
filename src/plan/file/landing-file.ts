// The shape of what a plan file says of tries, checks and landing, and the small words that they are made of.

import { z } from 'zod';
import { checkRetriesMax, retryHows } from '../../model/core/spec.ts';

/** Without dots: those part the steps of a reference, and name the tasks of a matrix. */
export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/, 'a name has letters, digits, "_" and "-", at most 48 of them');

export const command = z.union([z.string().min(1), z.array(z.union([z.string(), z.number()])).min(1)], {
  error: 'a command is a text for the shell, or a list of a program and its arguments',
});
export const minutes = z.number().positive().max(10_080);

export const retry = z.strictObject({
  attempts: z.int().min(1).max(100).optional().describe('how often the task is tried at most'),
  'delay-seconds': z.number().min(0).max(3_600).optional().describe('the first pause between two tries; it doubles'),
  conflicts: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('further tries for work that did not fit what was integrated meanwhile'),
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
      'whether a further try begins anew or goes on with the session and the work of the one before; auto: as the record suggests',
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
    .describe('how often one that fails is run again; passing then counts, and is told as flaky'),
});

export const check = z.union([z.string().min(1), checkWords], {
  error: 'a check is a command, or a mapping with "run"',
});

export const landing = z.strictObject({
  checks: z
    .array(check)
    .max(50)
    .optional()
    .describe("what must pass on each tree that the run's branch gets; otherwise the checks of all work on it"),
  into: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('the branch of your repository that it goes into, merged and tested, when all has succeeded'),
  checkout: z.boolean().optional().describe('whether a clean checkout of that branch may move with it'),
});
