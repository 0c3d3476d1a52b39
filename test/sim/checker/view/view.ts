// What the checker has seen so far: the journal's claims on one side, the world's doings on the other. Plain
// data, filled by the rules. Shares no code with src: a bug of the model must not hide in here.

import type { Amounts, BudgetData, LineData } from '../spending/amounts.ts';
import type { AttemptView, LaunchView, PermissionView, RecordView } from './attempt-view.ts';
import type { AgentChildren } from './children-view.ts';
import type { CallLine, Fact } from './event-data.ts';
import type { AskAnswer, RunView, TaskView } from './run-view.ts';

export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface Violation {
  readonly invariant: Invariant;
  /** One readable sentence with ids. */
  readonly what: string;
}

export interface HostView {
  slots: number;
  readonly held: Map<string, string>;
  readonly lines: Map<string, LineData>;
  /** The attempt that tries a line that was closed and has not served since. */
  readonly trying: Map<string, string>;
  /** What all runs spent on each day, and what they may. */
  readonly days: Map<string, Amounts>;
  dayBudget: BudgetData;
  /** A person holds all runs. */
  paused: boolean;
}

/** A launch as the world knows it. */
export interface ProcessView {
  readonly launchId: string;
  readonly attemptId: string;
  spawns: number;
  alive: boolean;
  status: number | null;
  vanished: boolean;
  termed: boolean;
  killed: boolean;
  readonly lines: { readonly end: number; readonly fact: Fact | null }[];
  readonly received: Set<string>;
  controls: number;
  lastOrder: number;
  /** Calls that it waits for the answer to. */
  readonly calls: Map<string, CallLine>;
  /** It asks before it goes on. */
  braked: boolean;
  /** The last cumulative cost that a line reported, and whether the sum can be compared. */
  cost: { told: number; comparable: boolean; recordedMicroUsd: number; results: number };
}

export interface View {
  readonly violations: Violation[];
  readonly runs: Map<string, RunView>;
  readonly tasks: Map<string, TaskView>;
  readonly attempts: Map<string, AttemptView>;
  readonly agents: Map<string, AttemptView>;
  readonly spawning: Map<string, AgentChildren>;
  readonly launches: Map<string, LaunchView>;
  readonly messages: Map<string, RecordView>;
  readonly permissions: Map<string, PermissionView>;
  /** Answers that people gave to permission requests, by ask. */
  readonly permissionAnswers: Map<string, boolean[]>;
  /** Notices to send, those that this commit has to raise, and those that were sent. */
  readonly notices: Map<string, 'raised' | 'sent'>;
  readonly noticesDue: Set<string>;
  readonly notified: Set<string>;
  /** The same of asks about tasks. */
  readonly askAnswers: Map<string, AskAnswer[]>;
  readonly hosts: Map<string, HostView>;
  readonly processes: Map<string, ProcessView>;
  readonly alive: Set<ProcessView>;
  readonly refs: Map<string, string>;
  /** The user's branches: where each is, which heads of runs it and its commits hold, and what passed on those. */
  readonly targets: Map<string, { readonly at: string; readonly heads: ReadonlySet<string> }>;
  readonly targetCommits: Map<string, ReadonlySet<string>>;
  readonly targetChecks: Map<string, boolean>;
  /** Whose work each commit of the world holds. */
  readonly contents: Map<string, ReadonlySet<string>>;
  /** What each workspace was really made from. */
  readonly bases: Map<string, string>;
  /** Where each attempt's commit was tried and conflicted. */
  readonly conflicts: Map<string, string[]>;
  /** The same for works that merge: the works with which they fail. */
  readonly failing: Map<string, (string | null)[]>;
  /** What was run on each commit that a branch was to be at. */
  readonly treeChecks: Map<string, Map<string, boolean>>;
  /** What agents had left uncommitted. */
  readonly uncommitted: Map<string, number>;
  /** The results of each check of each attempt on each commit, in order. */
  readonly checks: Map<string, boolean[]>;
  /** Artifacts that are on disk, by id. */
  readonly artifacts: Map<string, { readonly of: string; readonly value: unknown }>;
  /** Lines whose account was reported as exhausted in the present commit: the host says so after its runs. */
  readonly usedUpNow: Set<string>;
  /** Whether any service refused a request in it. */
  refusedNow: boolean;
  /** How many attempts have started or ended. */
  moments: number;
  /** How many engines are up, and how often one came or went: with two at work, either's result may be recorded. */
  engines: number;
  engineChanges: number;
  readonly up: Set<number>;
  /** Where each engine came up, and those that were ever up beside another. */
  readonly enginesUp: Map<number, number>;
  readonly beside: Set<number>;
  /** Which engine stored what is looked at, and when. */
  engine: number | undefined;
  t: number;
  /** Orders that were accepted, and the traces that such orders leave in the journal. */
  readonly accepted: {
    submit: number;
    stop: number;
    stopTask: number;
    resume: number;
    retry: number;
    setBudget: number;
    setLimits: number;
    readonly send: string[];
    readonly steered: Set<string>;
  };
  readonly traces: {
    submit: number;
    stop: number;
    stopTask: number;
    resume: number;
    retry: number;
    setBudget: number;
    setLimits: number;
  };
  healed: boolean;
  healedAt: number | null;
  /** Where we are: the stream and event, or the world's entry, that is being looked at. */
  stream: string | null;
  index: number;
  /** How far the world has been looked at. */
  worldIndex: number;
}

/** One broken rule breaks others: the first ones say what happened. */
const violationsMax = 50;

export function blame(view: View, invariant: Invariant, what: string): void {
  if (view.violations.length >= violationsMax) return;
  const place = view.stream === null ? `world ${view.index}` : `${view.stream} #${view.index}`;
  view.violations.push({ invariant, what: `${what} (${place})` });
}

export function outOfPlace(view: View, attempt: AttemptView, type: string): void {
  blame(view, 2, `${type} of ${attempt.id} while it is ${attempt.state}`);
}

export function checkKey(attemptId: string, check: string, commit: string): string {
  return `${attemptId}\n${check}\n${commit}`;
}
