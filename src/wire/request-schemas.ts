// The bodies of clients' requests to the daemon, parsed at the edge. Unknown keys are refused, so that a misspelt option is an
// error.

import { z } from 'zod';
import { isRunId, type RecordId, type RunId, type TaskId } from '../model/core/ids.ts';
import { coAuthorStyles, commitStyles, usualHistory } from '../model/land/landing.ts';
import { limitNames } from '../model/spending/budget.ts';
import { Fault } from '../std/fault.ts';
import { children, roles } from './children-request.ts';
import { models } from './models-request.ts';
import { budget, check, name, task } from './task-request.ts';
import { tools } from './tools-request.ts';

export const requestBytesMax = 16 * 1024 * 1024;
export const tasksMax = 10_000;

const branch = z.string().min(1).max(1_000);
const commitId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'not the id of a commit');

/** What history a landing makes. */
const history = z.strictObject({
  commits: z.enum(commitStyles).default(usualHistory.commits),
  coAuthor: z.enum(coAuthorStyles).default(usualHistory.coAuthor),
  /** By attempt: what a person wrote. */
  messages: z.record(z.string().max(200), z.string().min(1).max(20_000)).optional(),
  /** The last commit as it was prepared, and as a person signed it in their repository. */
  signed: z.strictObject({ commit: commitId, as: commitId }).optional(),
});

export const createRun = z.strictObject({
  /** Minted by the client, so that a request repeated after a broken connection makes no second run. */
  id: z.custom<RunId>((value) => typeof value === 'string' && isRunId(value), 'not a run id'),
  name,
  repo: z.strictObject({
    path: z.string().startsWith('/', 'an absolute path'),
    /** A branch, a tag, a commit or `worktree`; null = what is checked out. */
    base: z.string().min(1).max(1_000).nullable().default(null),
  }),
  /** Whether verified work is merged onto one branch of the run, from whose head the next task starts. */
  integrates: z.boolean().default(true),
  /** Checks that must pass on each tree of this branch; left out = the checks of all integrated work. */
  integration: z.strictObject({ checks: z.array(check).max(50).optional() }).default({}),
  /** A shell command that sets up a checkout whose commit has no `.signalbox/setup`. */
  setup: z.string().min(1).max(32_000).nullable().default(null),
  /** Variables of the user's environment for all its agents, with their values: these are kept out of the journal. */
  variables: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/), z.string().max(100_000)).default({}),
  /** Tools of the user's and of a trusted repository: their definitions are kept out of the journal. */
  tools: tools.exactOptional(),
  /**
   * The branch of the user's in which the run lands when all tasks have succeeded, and whether a checkout of it may be updated
   * too.
   */
  into: branch.nullable().default(null),
  moveCheckout: z.boolean().default(false),
  history: history.optional(),
  parallelMax: z.int().min(1).max(10_000).default(1_000),
  harnessMax: z.record(z.string(), z.int().min(1).max(10_000)).default({}),
  /** For all its tasks together. */
  budget: budget.nullable().default(null),
  /** The user's models for tiers, by harness; those left out are the harness's own. */
  models: models.default({}),
  /** Limits on agents spawned by agents. */
  children: children.default({}),
  /** Roles that its agents may give to their children, by name. */
  roles: roles.default({}),
  tasks: z.array(task).min(1, 'a run needs at least one task').max(tasksMax),
});

export const sendMessage = z.strictObject({
  /** Minted by the client, for the same reason. */
  id: z.custom<RecordId>((value) => typeof value === 'string' && /^record_[0-9a-z]{26}$/.test(value)),
  text: z.string().min(1, 'a message needs a text').max(200_000),
});

/** Orders that carry nothing but the name of the person. */
export const order = z.strictObject({ by: z.string().min(1).max(100).default('a person') });

/** `force`: also work that is in no branch of the user's. */
export const removeRun = order.extend({ force: z.boolean().default(false) });

/** Lands an ended run in a branch of the user's; null = in a branch of its own. */
export const land = z.strictObject({
  into: branch.nullable().default(null),
  checkout: z.boolean().default(false),
  openPr: z.boolean().default(false),
  /** Only the work of this task and of its needs; left out = everything integrated. */
  task: z.custom<TaskId>((value) => typeof value === 'string' && /^task_[0-9a-z]+$/.test(value)).optional(),
  history: history.optional(),
  by: z.string().min(1).max(100).default('a person'),
});

export const answerAsk = z.strictObject({
  approved: z.boolean(),
  by: z.string().min(1).max(100).default('a person'),
  message: z.string().min(1).max(20_000).nullable().default(null),
  remember: z.enum(['call', 'tool']).nullable().default(null),
  /** The values of a gate's form, by field. */
  values: z
    .record(z.string().max(64), z.union([z.string().max(100_000), z.number(), z.boolean(), z.null()]))
    .default({}),
  /** The choice, if the ask is more than yes or no. */
  choice: z.string().min(1).max(100).nullable().default(null),
  /** The answer to an agent's question, in words. */
  words: z.string().trim().min(1).max(20_000).nullable().default(null),
  /** Answers to several questions that an agent asked at once; an empty one leaves its question unanswered. */
  answers: z.array(z.string().trim().max(20_000)).min(1).max(100).nullable().default(null),
  /** For an exhausted budget: the limits to raise. */
  set: budget.nullable().default(null),
});

/** Limits that are not named stay as they are. */
const budgetChange = {
  set: budget.default({}),
  clear: z.array(z.enum(limitNames)).max(limitNames.length).default([]),
  by: z.string().min(1).max(100).default('a person'),
};

export const setBudget = z.strictObject({
  of: z.enum(['run', 'task', 'tree']).default('run'),
  taskId: z.string().max(200).nullable().default(null),
  ...budgetChange,
});

/** Agents are counted in a run, not by day. */
export const setDayBudget = z.strictObject({ ...budgetChange, set: budget.omit({ agents: true }).default({}) });

export const setLimits = z.strictObject({
  set: children.refine((given) => Object.keys(given).length > 0, 'name a limit'),
  by: budgetChange.by,
});

export const reclaimSpace = z.strictObject({
  /** The attempts whose workspaces to remove; left out = all removable ones. */
  attempts: z.array(z.string().max(200)).max(10_000).optional(),
  /** With all workspaces: also results of setups, however recently they were used. */
  setups: z.boolean().default(false),
});

export type CreateRun = z.output<typeof createRun>;
export type CreateRunInput = z.input<typeof createRun>;
export type SendMessage = z.output<typeof sendMessage>;

/** The value, or a Fault `bad_request` that says what is wrong and where. */
export function parseRequest<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const wrong = result.error.issues.slice(0, 5).map(({ path, message }) => {
    return path.length === 0 ? message : `${path.join('.')}: ${message}`;
  });
  throw new Fault('bad_request', `the request is not understood: ${wrong.join('; ')}`);
}
