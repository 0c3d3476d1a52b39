// What the checker has seen of runs and their tasks. Plain data, filled by the rules.

import type { StopMark } from '../branch/branch-rules.ts';
import type { LandingView } from '../branch/landing-rules.ts';
import type { Amounts, BudgetData } from '../spending/amounts.ts';
import type { AttemptView } from './attempt-view.ts';
import type { RunChildren, TaskChildren } from './children-view.ts';
import type { CheckData, TaskData } from './event-data.ts';

export interface RunView {
  readonly id: string;
  state: 'uncreated' | 'running' | 'landing' | 'stopping' | 'ended';
  name: string;
  parallelMax: number;
  harnessMax: Readonly<Record<string, number>>;
  readonly tasks: TaskView[];
  readonly byName: Map<string, TaskView>;
  openTasks: number;
  live: number;
  /** Whether work comes together on its branch. */
  integrates: boolean;
  /** Where its branch is by the journal, and where it really is. */
  head: string;
  branch: string;
  base: string;
  /** The branch that it was submitted to go into, its last landing, and whether that has ended since it was last at work. */
  into: string | null;
  landing: LandingView | null;
  landings: number;
  hasLanded: boolean;
  /** Attempts whose work is to be integrated, in the order in which they were queued, and how many ever were. */
  readonly integration: AttemptView[];
  queued: number;
  /** What the plan says must pass on the branch; null: the checks of all that is on it. */
  integrationChecks: readonly CheckData[] | null;
  /** Those whose work is really on it. */
  readonly onBranch: Set<AttemptView>;
  stopped: StopMark | null;
  /** The task whose failure stopped it; null = a person did, or none. */
  stoppedBy: string | null;
  /** Whether a person holds it, or all runs, and whether that ever was so. */
  readonly paused: Set<string>;
  wasPaused: boolean;
  /** What it spent by the journal, and its budget; scopes that a person was notified of; unknown costs that were accepted. */
  readonly spent: Amounts;
  budget: BudgetData | null;
  /** Open asks for more to spend, by scope: whether the budget was set since. */
  readonly told: Map<string, { readonly askId: string; raised: boolean }>;
  readonly accepted: Map<string, number>;
  dayLimited: boolean;
  dayExhausted: string | null;
  budgetChanges: number;
  readonly spawning: RunChildren;
}

export interface TaskView {
  readonly id: string;
  readonly run: RunView;
  readonly spec: TaskData;
  /** attemptEnded: its attempt ended and what follows (a delay or an outcome) has not been said yet. */
  state: 'waiting' | 'active' | 'expanded' | 'asked' | 'attemptEnded' | 'delayed' | 'ended';
  outcome: string | null;
  /** Why it failed, if that is its outcome. */
  failure: string | null;
  /** Its condition was looked at and holds. */
  opened: boolean;
  /** What it gave when it succeeded. */
  output: unknown;
  /** Of a matrix: what it was expanded over, and the tasks that came of it. */
  items: readonly unknown[] | null;
  readonly members: TaskView[];
  /** Attempts since it was opened last that ended in a conflict. */
  conflicts: number;
  /** Attempts since then that went back to their author for what was missing. */
  sentBack: number;
  /** The artifact of its last conflict. */
  conflict: string | null;
  /** Messages that its next attempt begins with; and attempts that had succeeded before: their work stays. */
  steered: readonly string[];
  readonly integratedBefore: string[];
  /** How its last failed attempt ended. */
  lastFailure: string | null;
  attempts: number;
  forgiven: number;
  attempt: AttemptView | null;
  delay: { readonly from: number; readonly ms: number } | null;
  /** The last one, and how many there were. */
  ask: AskView | null;
  asks: number;
  last: string;
  /** What it spent by the journal, alone and with its descendants. */
  readonly spent: Amounts;
  readonly treeSpent: Amounts;
  budget: BudgetData | null;
  treeBudget: BudgetData | null;
  readonly spawning: TaskChildren;
}

/** What a person is asked about a task. */
export interface AskView {
  readonly id: string;
  readonly kind: string;
  readonly openedAt: number;
  state: 'open' | 'approved' | 'rejected' | 'expired';
  /** It ended after its time. */
  late: boolean;
  choice: string | null;
  values: Readonly<Record<string, unknown>> | null;
  readonly failure: string | null;
}

/** What a person said. */
export interface AskAnswer {
  readonly by: string;
  readonly approved: boolean;
  readonly choice: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}
