// What the checker reads out of events and lines of output: every field that it looks at, and none that it must believe is
// there.

import type { BudgetData, LineData, PartData, ScopeData, UsageData } from '../spending/amounts.ts';

/** Every field that any event's data may have; what is missing reads as undefined and is found unknown. */
export interface Data {
  readonly closed?: string | null;
  readonly limits?: Readonly<Record<string, number>>;
  readonly taskId?: string;
  readonly attemptId?: string;
  readonly agentId?: string;
  readonly launchId?: string;
  readonly recordId?: string;
  readonly key?: string;
  readonly askId?: string;
  readonly request?: { readonly requestId?: string };
  readonly approved?: boolean;
  readonly choice?: string | null;
  readonly values?: Readonly<Record<string, unknown>> | null;
  readonly failure?: { readonly reason: string };
  readonly runId?: string;
  readonly run?: RunData;
  readonly task?: TaskData;
  readonly matrix?: string;
  readonly name?: string;
  readonly item?: unknown;
  readonly outcome?: string | OutcomeData;
  readonly verdict?: VerdictData;
  readonly turn?: VerdictData & { readonly text?: string; readonly cut?: boolean };
  readonly usage?: UsageData;
  readonly model?: string | null;
  readonly parts?: readonly PartData[];
  readonly why?: { readonly kind: string; readonly detail?: string };
  readonly reserved?: BudgetData;
  readonly probe?: boolean;
  readonly limit?: string | number;
  readonly untilMs?: number | null;
  readonly scope?: ScopeData;
  readonly budget?: BudgetData;
  readonly what?: string;
  readonly spent?: number;
  readonly limited?: boolean;
  readonly exhausted?: string | null;
  readonly line?: LineData | null;
  readonly account?: string;
  readonly day?: string;
  readonly items?: readonly ItemData[];
  readonly body?: {
    readonly kind: string;
    readonly text?: string;
    readonly askId?: string;
    readonly requestId?: string;
    readonly goOn?: boolean;
    /** Of the answer to a call. */
    readonly rpcId?: string | number;
    readonly isError?: boolean;
    readonly messages?: readonly string[];
  };
  /** Of a call. */
  readonly callId?: string;
  readonly tool?: string;
  readonly isError?: boolean;
  readonly text?: string;
  /** Of a call: its arguments, as far as they are kept. */
  readonly input?: string;
  /** Of teams. */
  readonly team?: string;
  readonly lead?: string;
  readonly to?: string;
  readonly members?: readonly string[];
  readonly agreed?: boolean;
  /** Of a stop. */
  readonly detail?: string;
  readonly messages?: readonly string[];
  readonly waits?: WaitsData;
  readonly paths?: readonly string[];
  readonly n?: number;
  readonly from?: string;
  /** Of a landing. */
  readonly into?: string | null;
  readonly openPr?: boolean;
  readonly host?: string;
  readonly session?: string;
  readonly ref?: string;
  readonly commit?: string;
  readonly uncommitted?: number;
  readonly tree?: string;
  readonly with?: string | null | readonly string[];
  readonly end?: number;
  readonly offset?: number;
  readonly resume?: boolean;
  readonly continues?: string;
  readonly onHead?: boolean;
  readonly rung?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly by?: string;
  readonly of?: string;
  readonly base?: string;
  readonly head?: string;
  /** Of an output that an agent gave. */
  readonly value?: unknown;
  readonly problems?: readonly string[];
  /** Of an artifact. */
  readonly artifactId?: string;
  readonly artifact?: string;
  readonly kind?: string;
  readonly inputs?: readonly string[];
  readonly effect?: string;
  readonly code?: string;
  /** Of a failed effect its words; of a sent message that message. */
  readonly message?: string & MessagesData;
  readonly delayMs?: number;
  readonly resumes?: boolean;
  readonly slots?: number;
}

export interface MessagesData {
  readonly id: string;
  readonly to: string;
  readonly from?: string;
  readonly fromName: string;
  readonly kind: string;
  readonly trust: string;
  readonly about?: string;
  readonly type?: string;
  readonly text: string;
  readonly data?: unknown;
  readonly hops: number;
}

export interface WaitsData {
  readonly tasks: readonly string[];
  readonly mode: string;
  readonly askId: string | null;
  readonly until: number | null;
}

export interface RunData {
  readonly id?: string;
  readonly name?: string;
  readonly repo?: { readonly base?: string };
  readonly integrates?: boolean;
  readonly into?: string;
  readonly integration?: { readonly checks?: readonly CheckData[] };
  readonly limits?: {
    readonly parallelMax?: number;
    readonly harnessMax?: Readonly<Record<string, number>>;
    readonly budget?: BudgetData;
    readonly children?: Readonly<Record<string, number>>;
  };
}

/** What an older shape of a task does not have is missing here too. */
export interface TaskData {
  readonly id: string;
  readonly name?: string;
  readonly kind?: string;
  readonly parent?: string | null;
  readonly needs?: readonly string[];
  readonly tolerates?: readonly string[];
  readonly inputs?: readonly string[];
  readonly gate?: GateData | null;
  readonly when?: ConditionData | null;
  readonly onFailure?: string;
  readonly onConflict?: string;
  readonly items?: readonly unknown[] | { readonly ref: readonly string[] } | null;
  readonly item?: unknown;
  readonly output?: { readonly title?: string } | null;
  readonly accounts?: boolean;
  readonly keeps?: boolean;
  readonly harness?: string;
  readonly prompt?: TextData;
  readonly checks?: readonly CheckData[];
  readonly priority?: number;
  readonly writes?: readonly string[] | null;
  readonly reads?: readonly string[];
  readonly retry?: RetryData;
  readonly timeoutMs?: number | null;
  readonly budget?: BudgetData | null;
  readonly treeBudget?: BudgetData | null;
  readonly onQuota?: string;
  readonly fallback?: readonly string[];
}

/** What proves one thing of an attempt's work. */
export interface ItemData {
  readonly check: string;
  readonly passed: boolean;
  readonly detail?: string;
}

export interface CheckData {
  readonly name: string;
  readonly argv?: readonly string[];
}

export interface RetryData {
  readonly how?: string;
  readonly attemptsMax: number;
  readonly conflictsMax?: number;
  readonly sendBacksMax?: number;
  readonly delayMs: number;
  readonly delayMaxMs: number;
}

export type TextData = string | readonly (string | { readonly ref: readonly string[] })[];

export interface ConditionData {
  readonly op: string;
  readonly value?: unknown;
  readonly ref?: readonly string[];
  readonly left?: ConditionData;
  readonly right?: ConditionData;
}

export interface OutcomeData {
  readonly kind: string;
  readonly commit?: string;
  readonly because?: string | null;
  readonly failure?: { readonly reason: string };
}

export interface VerdictData {
  readonly kind: string;
  readonly failure?: { readonly reason: string };
}

export interface GateData {
  readonly form?: readonly { readonly usual?: unknown }[];
  readonly timeoutMs?: number | null;
  readonly onTimeout?: string;
  readonly who?: readonly string[];
}

/** What one line of output means. */
export type Fact =
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'ack'; readonly recordId: string }
  | { readonly kind: 'asked' | 'round'; readonly requestId: string }
  | ({ readonly kind: 'call' } & CallLine)
  | { readonly kind: 'result'; readonly result: ResultLine };

/** A call of one of our tools. */
export interface CallLine {
  readonly requestId: string;
  readonly rpcId: string | number;
  readonly callId: string;
  readonly tool: string;
}

export interface ResultLine {
  readonly isError: boolean | null;
  readonly text: string | null;
  readonly tokens: readonly (number | null)[] | null;
  /** null: it reported no cost. */
  readonly costUsd: number | null;
  /** undefined: it gave no output. */
  readonly output: unknown;
}
