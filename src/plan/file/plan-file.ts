// The shape of a plan file, in words that users of CI systems know. What the words mean together is checked elsewhere.
// Editors get the same shape as docs/plan.schema.json; the descriptions are what they show.

import { z } from 'zod';
import { namedKinds } from '../../model/attempt/artifact-kinds.ts';
import { itemsMax } from '../../model/core/spec.ts';
import { contextWays } from '../../model/session/context-spec.ts';
import { tasksMax } from '../../wire/request-schemas.ts';
import { budgetFile } from './budget-file.ts';
import { childrenFile } from './children-file.ts';
import { gateFile } from './gate-file.ts';
import { check, command, landing, minutes, name, retry } from './landing-file.ts';

const names = z.union([name, z.array(name)], { error: 'this takes a name or a list of names' });
const globs = z.union([z.string(), z.array(z.string())], { error: 'this takes a path or a list of paths' });
const value = z.union([z.string(), z.number(), z.boolean()], { error: 'this takes a text, a number, true or false' });
/** Not below what an agent may take for a line. */
const stall = z
  .number()
  .min(1 / 60)
  .max(10_080);

const rules = z.array(z.string());
const model = z.string().min(1).max(200);
const models = z.union([model, z.array(model).min(1).max(10)], {
  error: 'this takes a model or a list of models',
});

/** Of each of these needs, how it must have ended. */
const enough = z
  .record(name, z.enum(['at-least-1', 'all', 'any-outcome']))
  .refine((needs) => Object.keys(needs).length > 0, 'it names no task');

/** The options that a task and `defaults` share. Their names in TypeScript follow from these (option-names.ts). */
export const common = {
  harness: z.string().optional().describe('the kind of agent, as `signalbox doctor` names it'),
  model: z.string().optional().describe('the model, where the harness has one'),
  effort: z.string().optional().describe('how hard the model thinks, where the harness has it'),
  role: z.string().optional().describe('a role: its prompt stands before the prompt of the task'),
  retry: retry.optional(),
  budget: budgetFile
    .optional()
    .describe('what a task may spend, all its tries together; of a matrix each of its tasks'),
  'budget-in-all': budgetFile.optional().describe('what the tasks of a matrix may spend together'),
  'on-quota': z
    .enum(['wait', 'fallback', 'stop'])
    .optional()
    .describe('when the account may use no more: wait until it may, go on with another model, or fail'),
  fallback: models.optional().describe('those other models, the preferred one first'),
  'on-failure': z
    .enum(['skip', 'continue', 'stop', 'ask'])
    .optional()
    .describe('what its failure does to what needs it, or to the run; ask: a person says'),
  'on-crash': z
    .enum(['go-on', 'ask'])
    .optional()
    .describe('whether its agent goes on by itself after its process was lost in the middle of a turn'),
  'on-conflict': z
    .enum(['ask', 'fail'])
    .optional()
    .describe(
      'when its work fits at no try what was integrated meanwhile: a person says what becomes of it, or it fails',
    ),
  context: z
    .enum(contextWays)
    .optional()
    .describe('when its context window fills up: the agent compacts, hands over to a fresh session, or the try fails'),
  'context-threshold': z.number().min(1).max(100).optional().describe('from how many percent on that is; 80'),
  'stall-minutes': stall.optional().describe('silence in the middle of a turn that counts as a stall'),
  'tool-stall-minutes': stall.optional().describe('the same while a tool of the agent is at work'),
  'timeout-minutes': minutes.optional().describe('time for one try'),
  sandbox: z.enum(['workspace', 'none']).optional(),
  env: z.record(z.string(), value).optional().describe('environment of the agent; values may have references'),
  permissions: z
    .strictObject({ allow: rules.optional(), ask: rules.optional(), deny: rules.optional() })
    .optional()
    .describe('what the agent may do unasked'),
  checks: z.array(check).max(50).optional().describe('commands that must exit 0 on the work'),
};

const task = z.strictObject({
  description: z.string().optional(),
  prompt: z.string().min(1).optional().describe('what the agent is asked to do; may have references'),
  run: command.optional().describe('a command instead of an agent'),
  gate: gateFile.optional().describe('a person decides, instead of an agent or a command'),
  needs: names.optional().describe('tasks that must have succeeded before'),
  when: z
    .union([z.string(), z.boolean(), enough], {
      error: 'this takes a condition, or a mapping of needs to what is enough',
    })
    .optional()
    .describe('done only if this holds, as in ${{ tasks.review.output.verdict == "pass" }} or { review: at-least-1 }'),
  matrix: z
    .union(
      [
        z.string(),
        z
          .array(z.any())
          .min(1, 'a matrix needs at least one item')
          .max(itemsMax, `a matrix has at most ${itemsMax} items`),
      ],
      { error: 'a matrix is a list, or a reference to one' },
    )
    .optional()
    .describe("one task for each item of this list, or of another task's output"),
  phase: name.optional().describe('the phase it belongs to; it waits for those before'),
  reads: globs.optional().describe('paths that nobody may be changing meanwhile'),
  writes: globs.optional().describe('paths it may change; tasks that share one take turns'),
  setup: z
    .string()
    .min(1)
    .optional()
    .describe('a command that sets its workspace up, after the setup of the repository'),
  output: z
    .union([z.string(), z.record(z.string(), z.any())], {
      error: 'this takes a JSON Schema, or the name of a kind of artifact',
    })
    .optional()
    .describe(`JSON Schema of what it gives, or a kind that has one: ${namedKinds.join(', ')}`),
  example: z.any().optional().describe('an output as it could be, for run --stubs'),
  priority: z.int().min(-1_000).max(1_000).optional().describe('higher goes first'),
  settings: z.record(z.string(), value).optional().describe('any other setting of the harness'),
  ...common,
});

const input = z.strictObject({
  type: z.enum(['string', 'number', 'boolean', 'json']).optional(),
  default: z.any().optional(),
  description: z.string().optional(),
});

const phase = z.union(
  [
    name,
    z.strictObject({
      name,
      exit: z.union([z.string(), z.boolean()]).optional().describe('what must hold for the next phase to begin'),
      'throw-away': z.boolean().optional().describe('its tasks may change anything, and nothing of it is kept'),
      accounts: z.boolean().optional().describe('its tasks must say of each output they were given what became of it'),
    }),
  ],
  { error: 'a phase is a name, or a mapping with "name"' },
);

const limit = z.int().min(1).max(10_000);

export const planFile = z.strictObject({
  name,
  description: z.string().optional(),
  inputs: z.record(name, input).optional().describe('what whoever runs it may say: --input name=value'),
  defaults: z.strictObject(common).optional().describe('for every task that does not say otherwise'),
  limits: z
    .strictObject({
      'max-parallel': limit.optional().describe('tasks at work at once'),
      'per-harness': z.record(z.string(), limit).optional().describe('the same for the tasks of one harness'),
      budget: budgetFile.optional().describe('what all tasks together may spend'),
      'confirm-above': budgetFile.optional().describe('a person must agree to a run that could spend more'),
      agents: childrenFile.optional().describe('how much its agents may make of themselves: those that they ask for'),
    })
    .optional(),
  landing: landing.optional().describe("how work comes onto the run's branch"),
  interlock: z.enum(['open', 'strict']).optional().describe('strict: every task must declare what it writes'),
  phases: z
    .array(phase)
    .min(1)
    .max(50)
    .optional()
    .describe('instead of research, synthesis, implementation, verification'),
  tasks: z
    .record(name, task)
    .refine((tasks) => Object.keys(tasks).length > 0, 'a plan needs at least one task')
    .refine((tasks) => Object.keys(tasks).length <= tasksMax, `a plan has at most ${tasksMax} tasks`),
});

export type PlanFile = z.output<typeof planFile>;
export type TaskFile = PlanFile['tasks'][string];
export type CommonFile = NonNullable<PlanFile['defaults']>;
