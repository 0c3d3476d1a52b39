// What the checker has seen so far: the journal's claims on one side, the world's doings on the other. Plain
// data, filled by the other checker files. Shares no code with src: a bug of the model must not hide in here.

import type { BranchStep, StopMark } from '../branch/branch-rules.ts';
import type { LandingView } from '../branch/landing-rules.ts';
import type { Amounts, BudgetData, LineData, PartData } from '../spending/amounts.ts';
import type { AgentChildren, AttemptChildren, MessageView, RunChildren, TaskChildren } from './children-view.ts';
import type { CallLine, CheckData, Data, Fact, TaskData, VerdictData } from './event-data.ts';

export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface Violation {
  readonly invariant: Invariant;
  /** One readable sentence with ids. */
  readonly what: string;
}

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
  /** Whose failure asked it to stop; null = a person did, or nobody. */
  stoppedBy: string | null;
  /** What it spent by the record, and what it may; scopes of which a person was told; unknown costs that were accepted. */
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
  /** The artifact of what its work did not fit last. */
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
  question: QuestionView | null;
  questions: number;
  last: string;
  /** What it spent by the record, it alone and with all below it. */
  readonly spent: Amounts;
  readonly treeSpent: Amounts;
  budget: BudgetData | null;
  treeBudget: BudgetData | null;
  readonly spawning: TaskChildren;
}

/** What a person is asked about a task. */
export interface QuestionView {
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
export interface QuestionAnswer {
  readonly by: string;
  readonly approved: boolean;
  readonly choice: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

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
  /** The attempt whose agent it goes on with, and the one whose work; null = it began anew. */
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
  /** It did not fit what had been integrated, or a check of the branch fails with it. */
  unfit: 'conflict' | 'check-failed' | null;
  /** It goes back to its author: with the work, or from the head of the branch. */
  back: 'work' | 'head' | null;
  /** A person's stop came after its agent had finished, or nobody could integrate its work. */
  brokenOff: (StopMark & { readonly reason: string }) | null;
  /** The last output its agent gave; what fits is kept, of the rest only that it is wrong. */
  given: GivenOutput | null;
  /** The artifact of what it gave. */
  result: string | null;
  /** How often it was told to give its output again. */
  refusals: number;
  /** Whether that was after its last turn. */
  refused: boolean;
  /** The ids that its prompt told it to account for. */
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
  /** Facts told since the last launch.read: the read must account for them. */
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
  /** What its task had spent when that was set apart. */
  before: Amounts;
  /** The sums of its session, and how much of them is in the books. */
  metered: readonly PartData[];
  ended: readonly PartData[];
  /** What its agent really used, how much of that is in its own record, and what the books have of it. */
  readonly asked: Amounts;
  readonly kept: Amounts;
  readonly booked: Amounts;
  /** Requests since a budget was used up, and how often it went on against the word. */
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

export interface GateView {
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

export interface HostView {
  slots: number;
  readonly held: Map<string, string>;
  readonly lines: Map<string, LineData>;
  /** Who tries a line that was closed and on which nobody was served since. */
  readonly trying: Map<string, string>;
  /** What all runs spent on each day, and what they may. */
  readonly days: Map<string, Amounts>;
  dayBudget: BudgetData;
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
  /** The last cumulative cost that a line told, and whether the sum can be compared. */
  /** It asks before it goes on. */
  braked: boolean;
  cost: { told: number; comparable: boolean; recordedMicroUsd: number; results: number };
}

export interface Scene {
  readonly violations: Violation[];
  readonly runs: Map<string, RunView>;
  readonly tasks: Map<string, TaskView>;
  readonly attempts: Map<string, AttemptView>;
  readonly agents: Map<string, AttemptView>;
  readonly spawning: Map<string, AgentChildren>;
  readonly launches: Map<string, LaunchView>;
  readonly messages: Map<string, RecordView>;
  readonly gates: Map<string, GateView>;
  /** Answers that people gave, by gate. */
  readonly answered: Map<string, boolean[]>;
  /** What people are to be told, what of it this commit has to raise, and what they were told. */
  readonly notices: Map<string, 'raised' | 'told'>;
  readonly noticesDue: Set<string>;
  readonly notified: Set<string>;
  /** The same of questions about tasks. */
  readonly told: Map<string, QuestionAnswer[]>;
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
  /** Where each attempt's commit was tried and did not fit. */
  readonly conflicts: Map<string, string[]>;
  /** The same of what could be merged: with whom it fails then. */
  readonly failing: Map<string, (string | null)[]>;
  /** What was run on each commit that a branch was to be at. */
  readonly treeChecks: Map<string, Map<string, boolean>>;
  /** What agents had left uncommitted. */
  readonly uncommitted: Map<string, number>;
  /** The results of each check of each attempt on each commit, in order. */
  readonly checks: Map<string, boolean[]>;
  /** Artifacts that are on disk, by id. */
  readonly artifacts: Map<string, { readonly of: string; readonly value: unknown }>;
  /** Lines on which an account was said to be used up in the commit that is looked at: the host says so after its runs. */
  readonly usedUpNow: Set<string>;
  /** Whether any service refused somebody in it. */
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

/** One broken rule breaks others: the first ones tell the story. */
const violationsMax = 50;

export function blame(scene: Scene, invariant: Invariant, what: string): void {
  if (scene.violations.length >= violationsMax) return;
  const place = scene.stream === null ? `world ${scene.index}` : `${scene.stream} #${scene.index}`;
  scene.violations.push({ invariant, what: `${what} (${place})` });
}

export function outOfPlace(scene: Scene, attempt: AttemptView, type: string): void {
  blame(scene, 2, `${type} of ${attempt.id} while it is ${attempt.state}`);
}

export function checkKey(attemptId: string, check: string, commit: string): string {
  return `${attemptId}\n${check}\n${commit}`;
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

/** Launches that a loss or late mail was the reason of, the first included. */
export function troubledLaunches({ launches, stalls, pause }: AttemptView): number {
  return launches - stalls - pause.launches;
}

/** Reasons that leave no time for a word: memory, disk or processes are running out. */
export const urgent: ReadonlySet<string> = new Set(['output-limit', 'out-of-memory', 'spawn-refused']);
