// Schemas of the daemon's answers about runs and tasks. Clients ignore unknown keys, so an older client works with a newer
// daemon.

import { taskKinds } from '../model/core/spec.ts';
import * as z from './answer-shape.ts';
import { askView } from './ask-views.ts';
import { limitView } from './budget-views.ts';
import { reachedView } from './children-views.ts';
import { evidenceView } from './evidence-views.ts';
import { landingView, overlapsView, repoView } from './landing-views.ts';
import { usageView } from './usage-views.ts';
import { pauseView, waitView } from './wait-views.ts';

/** Failure reasons that more budget or time resolves. */
export { usedUpReasons } from '../model/core/failure.ts';

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
  /** Why it continues the attempt before, or does not; empty = no choice was needed. */
  why: z.string().default(''),
  state: z.string(),
  stopping: failure.nullable(),
  /** Newest last. */
  launches: z.array(z.string()),
  /** State of the newest launch. */
  launchState: z.string().nullable(),
  /** The process id of the shim; null while unknown. */
  pid: z.number().nullable(),
  workspace: z.string().nullable(),
  /** The URL of a server it started; null = none, or unknown. */
  url: z.string().nullable().default(null),
  /** The commit it started from. */
  base: z.string().nullable().default(null),
  /** How to open the session in the agent's own interface; null = impossible. */
  reopen: z
    .object({ argv: z.array(z.string()), env: z.record(z.string(), z.string()), cwd: z.string() })
    .nullable()
    .default(null),
  /** The repository of `ref`, once the work is saved. */
  gitDir: z.string(),
  ref: z.string().nullable(),
  commit: z.string().nullable(),
  /** Its place in the integration queue, since when, and whether it is being tried. */
  integration: z.object({ since: z.number(), place: z.number(), tried: z.boolean() }).nullable().default(null),
  /** Remarks about its workspace or saved work. */
  notes: z.array(z.string()).default([]),
  checks: z.array(evidenceView).nullable(),
  /** Failed checks of the run's branch with its work; null = none failed. */
  branchChecks: z.array(evidenceView).nullable().default(null),
});

/** What the agent is doing, from its stream; null = nothing since the daemon started. */
export const progressView = z.object({
  /** What its open tool call does, as a person would say it; null = none is open. The newest of several. */
  doing: z.string().nullable().default(null),
  /** How many calls are open. */
  callsOpen: z.number().default(0),
  /** The same for its last call, open or not. */
  lastCall: z.string().nullable().default(null),
  lastText: z.string().nullable(),
  toolCalls: z.number(),
  turns: z.number(),
  retries: z.number(),
  background: z.number(),
  garbageLines: z.number(),
  contextTokens: z.number().nullable(),
  /** The size of its context window; null = unknown. */
  contextWindow: z.number().nullable().default(null),
});

export const taskView = z.object({
  id: z.string(),
  name: z.string(),
  /** `work` for an agent, a `matrix` of tasks, a `milestone` others wait for, or a `gate` for people. */
  kind: z.enum(taskKinds).default('work'),
  /** Its matrix, or the task whose agent spawned it. */
  parent: z.string().nullable().default(null),
  phase: z.string().nullable().default(null),
  state: z.string(),
  needs: z.array(z.string()),
  /** Why it is not running; null = it is running or has ended. */
  wait: waitView.nullable(),
  /** It waits for an exhausted budget, which only a person can raise. */
  outOfBudget: z.boolean().default(false),
  /** When it ended; null = not yet. */
  endedAt: z.number().nullable().default(null),
  attempts: z.number(),
  attempt: attemptView.nullable(),
  progress: progressView.nullable().default(null),
  /** The progress its agent reported; null = none, or idle. */
  told: z.object({ line: z.string(), fraction: z.number().nullable(), at: z.number() }).nullable().default(null),
  /** Its agent is idle and resumes only after others act. */
  rests: z.boolean().default(false),
  /** Open permissions that its agent asks for, and the last other ask about the task, open or not. */
  asks: z.array(askView).default([]),
  outcome: outcomeView.nullable(),
  /** Its output; null = none, or too long to show here (see `outputLength`). */
  output: z.unknown().default(null),
  /** Its length as JSON; 0 = no output. */
  outputLength: z.number().default(0),
  lastFailure: failure.nullable(),
  usage: usageView,
});

/** The tasks that did not succeed in an ended run. */
export const missingView = z.object({
  total: z.number(),
  /** The first ones. */
  tasks: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      outcome: z.enum(['failed', 'skipped', 'stopped']),
      /** Why it failed. */
      reason: z.string().nullable(),
      detail: z.string().nullable(),
      /** The task because of which it was skipped. */
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
  /** Who removed it; null = it is there. */
  removedBy: z.string().nullable().default(null),
  repo: repoView,
  /** Its branch: a ref in the repository of its attempts; null = nothing is integrated. */
  branch: z.object({ ref: z.string(), head: z.string(), base: z.string() }).nullable().default(null),
  landing: landingView.nullable().default(null),
  overlaps: overlapsView,
  /** The branch it lands in when all tasks succeed; null = none. */
  into: z.string().nullable().default(null),
  paused: pauseView.nullable().default(null),
  usage: usageView,
  /** null: it is open, or nothing is missing. */
  missing: missingView.nullable().default(null),
  /** Its budget; empty = no limit. */
  budget: z.array(limitView).default([]),
  /** Reached limits on agents spawned by agents, while it runs. */
  reached: z.array(reachedView).default([]),
  /** Asks about the run as a whole: consents to messages between runs, and exhausted budgets, that of the day too. */
  asks: z.array(askView).default([]),
  tasks: z.array(taskView),
});

/** The answer to a new run, with notes about its start. */
export const createdView = runView.extend({
  /** Remarks about the commit it starts from. */
  notes: z.array(z.string()).default([]),
});

export const runList = z.object({
  runs: z.array(runView),
  /** Runs whose journal cannot be read, and why. */
  unreadable: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** There are further pages. */
  more: z.boolean().default(false),
});

/** The full output of a task. */
export const taskOutput = z.object({ output: z.unknown() });

/** What a name typed by a person means. */
export const found = z.object({ runId: z.string(), taskId: z.string().nullable() });

export const accepted = z.object({ accepted: z.literal(true) });

export const problem = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export type ProgressView = z.output<typeof progressView>;
export type AttemptView = z.output<typeof attemptView>;
export type TaskView = z.output<typeof taskView>;
export type MissingView = z.output<typeof missingView>;
export type RunView = z.output<typeof runView>;
export type RunList = z.output<typeof runList>;
export type Found = z.output<typeof found>;
