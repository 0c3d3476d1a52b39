// What the checker has seen of attempts, their launches and what was said to their agents. Plain data, filled by the rules.

import type { BranchStep, StopMark } from '../branch/branch-rules.ts';
import type { Amounts, BudgetData, PartData } from '../spending/amounts.ts';
import type { AttemptChildren, MessageView } from './children-view.ts';
import type { Data, VerdictData } from './event-data.ts';
import type { TaskView } from './run-view.ts';

export interface AttemptView {
  readonly id: string;
  readonly task: TaskView;
  readonly agentId: string;
  readonly host: string;
  readonly startedAt: number;
  /** Its place, and that of its end, among all starts and ends: times may go back. */
  readonly startedAs: number;
  endedAs: number | null;
  state: 'preparing' | 'resting' | 'launching' | 'running' | 'saving' | 'proving' | 'integrating' | 'ended';
  readonly n: number;
  /** The attempt whose agent it continues, and the one whose work; null = it began from scratch. */
  readonly former: AttemptView | null;
  readonly formerWork: AttemptView | null;
  /** What its work is compared with: its base, or that of the first that it goes on with. */
  origin: string | null;
  /** The head of the branch by the journal when it started, or the work that it goes on with. */
  readonly from: string;
  /** What its workspace was made from, by the journal. */
  base: string | null;
  /** Its place among all that were to be integrated. */
  queuedAs: number | null;
  /** Where the branch was by the journal when its work was on it. */
  integrated: string | null;
  /** How the branch really got its work. */
  onBranch: BranchStep | null;
  /** It conflicted with integrated work, or a check of the branch fails with it. */
  unfit: 'conflict' | 'check-failed' | null;
  /** It goes back to its author: with the work, or from the head of the branch. */
  back: 'work' | 'head' | null;
  /** A person's stop came after its agent had finished, or its work could not be integrated. */
  brokenOff: (StopMark & { readonly reason: string }) | null;
  /** The last output its agent gave; what fits is kept, of the rest only that it is wrong. */
  given: GivenOutput | null;
  /** The artifact of what it gave. */
  result: string | null;
  /** How often it was asked to give its output again. */
  refusals: number;
  /** Whether that was after its last turn. */
  refused: boolean;
  /** The ids that its prompt asks it to account for. */
  inputs: readonly string[];
  hasAgent: boolean;
  hasWorkspace: boolean;
  saved: SavedWork | null;
  launches: number;
  /** How often it was asked to stop because it had gone silent. */
  stalls: number;
  launch: LaunchView | null;
  session: string | null;
  stop: string | null;
  /** How the last turn of the current launch ended. */
  turn: string | null;
  /** Why it failed, if it did. */
  failure: string | null;
  verdict: VerdictData | null;
  evidence: Data['items'] | null;
  readonly failedEffects: Set<string>;
  readonly records: RecordView[];
  /** Facts recorded since the last launch.read: the read must account for them. */
  heard: Heard;
  readonly pause: PauseView;
  readonly spawning: AttemptChildren;
}

/** What an attempt waits or waited for without a process, and with what it is at work. */
export interface PauseView {
  parked: { readonly at: number; readonly kind: string; readonly until: number | null } | null;
  /** It goes on because the time that it wanted to wait is over. */
  overdue: boolean;
  parkedMs: number;
  braked: boolean;
  /** Launches that followed a pause. */
  launches: number;
  /** It goes on, and its launch is to be intended in the same commit. */
  goesOn: boolean;
  model: string | null;
  probe: boolean;
  /** Refusals since the model last answered it. */
  limits: number;
  reserved: BudgetData | null;
  /** What its task had spent when that was reserved. */
  before: Amounts;
  /** The sums of its session, and how much of them is in the books. */
  metered: readonly PartData[];
  ended: readonly PartData[];
  /** What its agent really used, how much of that is in its own record, and what the books have of it. */
  readonly asked: Amounts;
  readonly kept: Amounts;
  readonly booked: Amounts;
  /** Requests since a budget was exhausted, and how often it continued although it was told not to. */
  over: number;
  ignored: number;
  /** Since when nothing may be said to it that begins a turn: changes of budgets and messages until then. */
  held: { readonly changes: number; readonly records: number } | null;
}

export interface GivenOutput {
  readonly value: unknown;
  readonly right: boolean;
}

export interface SavedWork {
  readonly ref: string | undefined;
  readonly commit: string | undefined;
  readonly uncommitted: number;
  /** The number of engine changes at that time. */
  readonly engineChanges: number;
}

export interface Heard {
  readonly delivered: string[];
  readonly usages: PartData['usage'][];
  readonly turns: NonNullable<Data['turn']>[];
  readonly asked: string[];
  readonly rounds: string[];
  /** Answers to calls that were queued, and calls that are recorded as answered. */
  readonly calls: NonNullable<Data['body']>[];
  readonly answered: string[];
  readonly outputs: { readonly value: unknown; readonly problems: readonly string[] }[];
}

export interface PermissionView {
  readonly id: string;
  readonly attempt: AttemptView;
  /** The launch that asked. */
  readonly launchId: string;
  readonly requestId: string | undefined;
  state: 'open' | 'approved' | 'rejected' | 'expired';
  answers: number;
  /** Its agent has the answer. */
  heard: boolean;
}

export interface LaunchView {
  readonly id: string;
  readonly attempt: AttemptView;
  down: 'ended' | 'lost' | null;
  offset: number;
  /** Lines of the process that the journal has read. */
  linesRead: number;
  stopAsked: boolean;
  termed: boolean;
  killed: boolean;
  startedAt: number | null;
  writtenEnd: number;
  /** Records whose bytes were fixed before they were written. */
  readonly pinned: Set<string>;
  readonly written: Set<string>;
  /** What its session had used by its own record and is not in the books; known when it is down. */
  openTasks: PartData[] | null;
  /** A budget held for it when it was intended, so that it has to ask before it goes on. */
  readonly brakeDue: boolean;
  /** It is to go on with a session, and that is not there. */
  readonly resumes: boolean;
  forgot: boolean;
}

export interface RecordView {
  readonly id: string;
  readonly attempt: AttemptView;
  readonly kind: string;
  readonly text: string | undefined;
  readonly order: number;
  /** Of an answer between two requests. */
  readonly round: { readonly requestId: string | undefined; readonly goOn: boolean } | null;
  /** Of the answer to a call. */
  readonly answer: NonNullable<Data['body']> | null;
  readonly messages: readonly MessageView[];
  /** Signalbox says it, and not a person. */
  readonly isOurs: boolean;
  /** It was for a session that was lost. */
  isGone: boolean;
  deliveredIn: LaunchView | null;
}

export function isControl(message: RecordView): boolean {
  return message.kind !== 'prompt' && message.kind !== 'text' && message.kind !== 'messages';
}

/** Something was said to the agent and it has not taken it up. */
export function hasInputWaiting(attempt: AttemptView): boolean {
  return attempt.records.some((message) => message.deliveredIn === null && !message.isGone && !isControl(message));
}

export const noneHeard = (): Heard => ({
  delivered: [],
  usages: [],
  turns: [],
  asked: [],
  rounds: [],
  calls: [],
  answered: [],
  outputs: [],
});

/** Launches that one attempt may have, the first included. */
export const launchesMax = 5;
export const stallsMax = 2;

/** Launches that a loss or a late message was the reason of, the first included. */
export function troubledLaunches({ launches, stalls, pause }: AttemptView): number {
  return launches - stalls - pause.launches;
}

/** Reasons that leave no time for a word: memory, disk or processes are running out. */
export const urgent: ReadonlySet<string> = new Set(['output-limit', 'out-of-memory', 'spawn-refused']);
