// The schema of a plan file, with the keywords of CI systems where there are any. src/plan/check checks what they mean together.
// Editors get the same schema as docs/plan.schema.json and show the descriptions.

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
/** Not shorter than the pause between two lines of output may be. */
const stall = z
  .number()
  .min(1 / 60)
  .max(10_080);

const rules = z.array(z.string());
const model = z.string().min(1).max(200);
const models = z.union([model, z.array(model).min(1).max(10)], {
  error: 'this takes a model or a list of models',
});

const server = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'this is not the name of an MCP server');
const servers = z.union([server, z.array(server).max(100)], {
  error: 'this takes the name of an MCP server, a list of names, or none',
});

/** By need, how it must have ended. */
const enough = z
  .record(name, z.enum(['at-least-1', 'all', 'any-outcome']))
  .refine((needs) => Object.keys(needs).length > 0, 'it names no task');

/** The options that a task and `defaults` share. Their names in TypeScript follow from these (option-names.ts). */
export const common = {
  harness: z.string().optional().describe('the kind of agent, as `signalbox doctor` names it'),
  model: z.string().optional().describe('the model, if the harness has models'),
  effort: z.string().optional().describe('how much the model thinks, if the harness has such a setting'),
  role: z.string().optional().describe('a role: its prompt comes before the prompt of the task'),
  retry: retry.optional(),
  budget: budgetFile.optional().describe('limit for a task, over all its attempts; of a matrix for each of its tasks'),
  'budget-in-all': budgetFile.optional().describe('limit for all tasks of a matrix together'),
  'on-quota': z
    .enum(['wait', 'fallback', 'stop'])
    .optional()
    .describe('when the quota of the account is exhausted: wait, go on with a fallback model, or fail'),
  fallback: models.optional().describe('the fallback models, the preferred one first'),
  'on-failure': z
    .enum(['skip', 'continue', 'stop', 'ask'])
    .optional()
    .describe('when it fails: skip the tasks that need it, continue with them, stop the run, or ask a person'),
  'on-crash': z
    .enum(['go-on', 'ask'])
    .optional()
    .describe('when the process of its agent is lost in the middle of a turn: go on, or ask a person first'),
  'on-conflict': z
    .enum(['ask', 'fail'])
    .optional()
    .describe('when its work still conflicts after all attempts to fix that: ask a person, or fail'),
  context: z
    .enum(contextWays)
    .optional()
    .describe('when its context window fills up: compact, hand over to a fresh session, or fail the attempt'),
  'context-threshold': z.number().min(1).max(100).optional().describe('how full that is, in percent; 80 by default'),
  'stall-minutes': stall
    .optional()
    .describe('how long an agent may be silent in the middle of a turn before it counts as stalled'),
  'tool-stall-minutes': stall.optional().describe('the same while one of its tools is running'),
  'timeout-minutes': minutes.optional().describe('time limit of one attempt'),
  mcp: servers
    .optional()
    .describe('the MCP servers that its agent gets, instead of all that are trusted; none for none'),
  sandbox: z.enum(['workspace', 'none']).optional(),
  env: z.record(z.string(), value).optional().describe('environment variables; values may hold references'),
  permissions: z
    .strictObject({ allow: rules.optional(), ask: rules.optional(), deny: rules.optional() })
    .optional()
    .describe('what the agent may do without asking'),
  checks: z.array(check).max(50).optional().describe('commands that must exit 0 on the committed work'),
};

/** The options that only a task has and that are taken as they are. Their names in TypeScript follow from these as well. */
export const taskOnly = {
  description: z.string().optional(),
  phase: name.optional().describe('its phase; it waits for all tasks of earlier phases'),
  setup: z
    .string()
    .min(1)
    .optional()
    .describe('a command that sets up its workspace, after the setup of the repository'),
  attach: globs.optional().describe('images that its prompt carries: paths, relative to the plan'),
  priority: z.int().min(-1_000).max(1_000).optional().describe('tasks with a higher number start first'),
};

const task = z.strictObject({
  prompt: z.string().min(1).optional().describe('the prompt for the agent; may hold references'),
  run: command.optional().describe('a command instead of an agent'),
  gate: gateFile.optional().describe('a person decides, instead of an agent or a command'),
  needs: names.optional().describe('tasks that must have succeeded before this one starts'),
  when: z
    .union([z.string(), z.boolean(), enough], {
      error: 'this takes a condition, or a mapping of needs to what is enough',
    })
    .optional()
    .describe('run only if this is true, as in ${{ tasks.review.output.verdict == "pass" }} or { review: at-least-1 }'),
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
  reads: globs
    .optional()
    .describe('globs of files that no other task may change meanwhile; may hold values of the matrix'),
  writes: globs
    .optional()
    .describe(
      'globs of files it may change; tasks that can change the same file take turns; may hold values of the matrix',
    ),
  output: z
    .union([z.string(), z.record(z.string(), z.any())], {
      error: 'this takes a JSON Schema, or the name of a kind of artifact',
    })
    .optional()
    .describe(`JSON Schema of its output, or a kind that has one: ${namedKinds.join(', ')}`),
  example: z.any().optional().describe('an example of its output, used by run --stubs'),
  settings: z.record(z.string(), value).optional().describe('other settings of the harness'),
  ...taskOnly,
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
      exit: z.union([z.string(), z.boolean()]).optional().describe('a condition for the next phase to start'),
      'throw-away': z
        .boolean()
        .optional()
        .describe('its tasks may change anything, and none of their changes are kept'),
      accounts: z.boolean().optional().describe('its tasks must account for each output they were given'),
    }),
  ],
  { error: 'a phase is a name, or a mapping with "name"' },
);

const limit = z.int().min(1).max(10_000);

/** Of a run: in a plan, or in a configuration for runs that set none. */
export const limits = z.strictObject({
  'max-parallel': limit.optional().describe('how many tasks may run at once'),
  'per-harness': z.record(z.string(), limit).optional().describe('the same for tasks of one harness'),
  budget: budgetFile.optional().describe('limit for all tasks together'),
  'confirm-above': budgetFile.optional().describe('a person must confirm a run that could spend more'),
  agents: childrenFile.optional().describe('limits on agents spawned by agents'),
});

export const planFile = z.strictObject({
  name,
  description: z.string().optional(),
  inputs: z.record(name, input).optional().describe('values given when it is run: --input name=value'),
  defaults: z.strictObject(common).optional().describe('options for every task that does not set its own'),
  limits: limits.optional(),
  landing: landing.optional().describe("how work is integrated onto the run's branch, and where it lands"),
  interlock: z.enum(['open', 'strict']).optional().describe('strict: every task must declare what it writes'),
  phases: z
    .array(phase)
    .min(1)
    .max(50)
    .optional()
    .describe('your own phases, instead of research, synthesis, implementation, verification'),
  tasks: z
    .record(name, task)
    .refine((tasks) => Object.keys(tasks).length > 0, 'a plan needs at least one task')
    .refine((tasks) => Object.keys(tasks).length <= tasksMax, `a plan has at most ${tasksMax} tasks`),
});

export type PlanFile = z.output<typeof planFile>;
export type TaskFile = PlanFile['tasks'][string];
export type CommonFile = NonNullable<PlanFile['defaults']>;
export type TaskOnlyFile = Pick<TaskFile, keyof typeof taskOnly>;
