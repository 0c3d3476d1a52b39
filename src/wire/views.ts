// What the daemon tells: its answers, as schemas that the client parses. A client ignores keys it does not know, so an
// older one gets along with a newer daemon.

import { taskKinds } from '../model/core/spec.ts';
import * as z from './answer-shape.ts';
import { askView } from './ask-views.ts';
import { limitView } from './budget-views.ts';
import { reachedView } from './children-views.ts';
import { evidenceView } from './evidence-views.ts';
import { landingView } from './landing-views.ts';
import { usageView } from './usage-views.ts';
import { waitView } from './wait-views.ts';

const failure = z.object({ reason: z.string(), detail: z.string() });

export const outcomeView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('succeeded'), commit: z.string() }),
  z.object({ kind: z.literal('failed'), failure }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('skipped'), because: z.string() }),
  z.object({ kind: z.literal('omitted'), because: z.string().nullable() }),
]);

export const attemptView = z.object({
  id: z.string(),
  n: z.number(),
  startedAt: z.number().default(0),
  /** Why it goes on with the attempt before, or does not; empty = nobody had to decide that. */
  why: z.string().default(''),
  state: z.string(),
  stopping: failure.nullable(),
  /** Newest last. */
  launches: z.array(z.string()),
  /** State of the newest launch. */
  launchState: z.string().nullable(),
  /** Of the process that keeps the agent; null while it is not known. */
  pid: z.number().nullable(),
  workspace: z.string().nullable(),
  /** Where something listens on a port of its block; null: nothing does, or nobody can tell. */
  url: z.string().nullable().default(null),
  /** The commit that it started from. */
  base: z.string().nullable().default(null),
  /** How a person takes the agent's session up in its own interface; null = it has none that can be. */
  reopen: z
    .object({ argv: z.array(z.string()), env: z.record(z.string(), z.string()), cwd: z.string() })
    .nullable()
    .default(null),
  /** The repository in which `ref` is, once the work is saved. */
  gitDir: z.string(),
  ref: z.string().nullable(),
  commit: z.string().nullable(),
  /** Since when its work waits to come onto the run's branch, its place in the queue, and whether it is tried by now. */
  integration: z.object({ since: z.number(), place: z.number(), tried: z.boolean() }).nullable().default(null),
  /** What is otherwise than one would think of its workspace or its saved work. */
  notes: z.array(z.string()).default([]),
  checks: z.array(evidenceView).nullable(),
  /** The same for the run's branch with its work, where that failed; null = it did not. */
  branchChecks: z.array(evidenceView).nullable().default(null),
});

/** What the agent is doing, told from its stream; null = nothing was heard since the daemon started. */
export const progressView = z.object({
  lastTool: z.string().nullable(),
  lastText: z.string().nullable(),
  toolCalls: z.number(),
  turns: z.number(),
  retries: z.number(),
  background: z.number(),
  garbageLines: z.number(),
  contextTokens: z.number().nullable(),
  /** How many fit into its context window; null where nobody told. */
  contextWindow: z.number().nullable().default(null),
});

export const taskView = z.object({
  id: z.string(),
  name: z.string(),
  /** What becomes of it: `work` by an agent, a `matrix` of tasks, a `milestone` that others wait for, a `gate` for people. */
  kind: z.enum(taskKinds).default('work'),
  /** The matrix that it is a task of, or the task whose agent asked for it. */
  parent: z.string().nullable().default(null),
  phase: z.string().nullable().default(null),
  state: z.string(),
  needs: z.array(z.string()),
  /** Why nobody works on it; null when somebody does, or when it has ended. */
  wait: waitView.nullable(),
  /** It waits for a budget that is used up, which only a person can raise. */
  outOfBudget: z.boolean().default(false),
  /** When it ended; null = it has not. */
  endedAt: z.number().nullable().default(null),
  attempts: z.number(),
  attempt: attemptView.nullable(),
  progress: progressView.nullable().default(null),
  /** How far its agent says that it is: its own words; null = it has said nothing, or has nothing to do any more. */
  told: z.object({ line: z.string(), fraction: z.number().nullable(), at: z.number() }).nullable().default(null),
  /** Its agent's turn is over, and it goes on when others have done something, and not by itself. */
  rests: z.boolean().default(false),
  /** Open permissions that its agent asks for, and the last other ask about the task, open or not. */
  asks: z.array(askView).default([]),
  outcome: outcomeView.nullable(),
  /** What it has given; null where there is none, or more of it than `outputLength` allows to be shown here. */
  output: z.unknown().default(null),
  /** Characters of it as JSON; 0 = there is none. */
  outputLength: z.number().default(0),
  lastFailure: failure.nullable(),
  usage: usageView,
});

/** What a run that has ended did not do. */
export const missingView = z.object({
  total: z.number(),
  /** The first of them. */
  tasks: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      outcome: z.enum(['failed', 'skipped', 'stopped']),
      /** Why it failed. */
      reason: z.string().nullable(),
      detail: z.string().nullable(),
      /** The task that did not succeed, so that this one was skipped. */
      because: z.string().nullable(),
    }),
  ),
});

export const runView = z.object({
  id: z.string(),
  name: z.string(),
  /** Events in its stream. */
  seq: z.number(),
  state: z.string(),
  outcome: z.enum(['succeeded', 'partial', 'failed', 'stopped']).nullable(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  repo: z.object({ path: z.string(), base: z.string() }),
  /** Where its work has been integrated: a ref of the repository that its attempts name; null = nothing has. */
  branch: z.object({ ref: z.string(), head: z.string(), base: z.string() }).nullable().default(null),
  /** The last time that its work was to go into a branch of the user's; null = it never was. */
  landing: landingView.nullable().default(null),
  /** The branch that it goes into when all has succeeded; null = none. */
  into: z.string().nullable().default(null),
  usage: usageView,
  /** null: it goes on, or nothing is missing. */
  missing: missingView.nullable().default(null),
  /** What it may spend; empty = there is no limit. */
  budget: z.array(limitView).default([]),
  /** Limits on what agents make of themselves that were reached while it goes on. */
  reached: z.array(reachedView).default([]),
  /** Asks about the run as a whole: consents to messages between runs, and exhausted budgets, that of the day too. */
  asks: z.array(askView).default([]),
  tasks: z.array(taskView),
});

/** The answer to a new run: what is said of its beginning is said once. */
export const createdView = runView.extend({
  /** What is otherwise than one would think with the commit that it starts from. */
  notes: z.array(z.string()).default([]),
});

export const runList = z.object({
  runs: z.array(runView),
  /** Runs whose record cannot be read, and why. */
  unreadable: z.array(z.object({ id: z.string(), reason: z.string() })),
});

/** What a task has given, whole. */
export const taskOutput = z.object({ output: z.unknown() });

/** What a word of a person means. */
export const found = z.object({ runId: z.string(), taskId: z.string().nullable() });

export const accepted = z.object({ accepted: z.literal(true) });

export const problem = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Names the launch whose transcript an answer holds. */
export const launchHeader = 'signalbox-launch';

/** The file of that transcript, as a component of a URI. */
export const transcriptHeader = 'signalbox-transcript';

/** A trailer: the daemon was told to leave before the transcript ended. */
export const farewellTrailer = 'signalbox-farewell';

export type ProgressView = z.output<typeof progressView>;
export type AttemptView = z.output<typeof attemptView>;
export type TaskView = z.output<typeof taskView>;
export type MissingView = z.output<typeof missingView>;
export type RunView = z.output<typeof runView>;
export type RunList = z.output<typeof runList>;
export type Found = z.output<typeof found>;
