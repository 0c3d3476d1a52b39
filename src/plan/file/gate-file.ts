// The schema of a gate in a plan file.

import { z } from 'zod';

const fieldName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/, 'a field has letters, digits, "_" and "-", at most 48 of them');
const person = z.string().min(1).max(100);
const words = z.union([person, z.array(person).max(100)], {
  error: 'this takes a name or a list of names',
});

const field = z.strictObject({
  type: z.enum(['text', 'number', 'boolean', 'choice']).optional(),
  label: z.string().max(1_000).optional().describe('the question beside the field'),
  options: z
    .array(z.union([z.string().min(1).max(200), z.number()]))
    .min(1)
    .max(100)
    .optional()
    .describe('the options of a choice'),
  required: z.boolean().optional().describe('false: it may be left empty'),
  default: z.any().optional().describe('the value if nothing is filled in'),
});

export const gateFile = z.strictObject({
  message: z.string().min(1).describe('the question; may hold references'),
  show: z
    .union([z.string(), z.array(z.string()).max(50)], { error: 'this takes a list of "diff", "cost" and outputs' })
    .optional()
    .describe('what is shown with it: diff, cost, or an output as in tasks.build.output'),
  form: z
    .record(fieldName, field)
    .refine((fields) => Object.keys(fields).length <= 50, 'a form has at most 50 fields')
    .optional()
    .describe('fields to fill in; their values are the output of the gate'),
  timeout: z
    .union([z.string(), z.number()], { error: 'this takes a time, as in 7d' })
    .optional()
    .describe('how long it waits; left out: for ever'),
  'on-timeout': z.enum(['approve', 'reject']).optional().describe('the decision if nobody decides in time'),
  who: words.optional().describe('who may decide; left out: everyone who may use this Signalbox'),
});

export type GateFile = z.output<typeof gateFile>;
