// What an agent asks of Signalbox by one of its tools: read and found in order by the toolCalls, decided here. Plain data.

import type { StoredArtifact } from '../attempt/artifact.ts';
import type { NamedKind } from '../attempt/artifact-kinds.ts';
import type { MessageId, RunId, TaskId } from '../core/ids.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Budget } from '../spending/budget.ts';

export interface Call {
  /** The agent's own name for it: the same again is the same call. */
  readonly callId: string;
  /** What the answer is addressed to. */
  readonly requestId: string;
  readonly rpcId: string | number;
  /** What was asked, cut short: for people. */
  readonly excerpt: string;
  /** Whether the agent has used a tool that is not ours since its last call. */
  readonly worked: boolean;
  readonly request: CallRequest;
}

export type CallRequest =
  /** The toolCalls has the answer: something is wrong with it, or it only reads. */
  | { readonly tool: 'answered'; readonly name: string; readonly text: string; readonly isError: boolean }
  | ({ readonly tool: 'spawn_agent' } & SpawnRequest)
  /** No tasks: all of its own that are open. */
  | {
      readonly tool: 'wait';
      readonly tasks: readonly string[];
      readonly mode: 'any' | 'all';
      readonly timeoutMs: number | null;
    }
  | { readonly tool: 'get_task'; readonly task: string }
  | { readonly tool: 'list_tasks'; readonly from: number; readonly open: boolean }
  | {
      readonly tool: 'send_message';
      readonly to: string;
      readonly text: string;
      readonly type: string | null;
      readonly data?: Json;
      /** Whom the toolCalls has found by an address in another run, and the repository that run works on. */
      readonly across?: {
        readonly runId: RunId;
        readonly run: string;
        readonly repo: string;
        readonly taskId: TaskId;
        readonly task: string;
      };
    }
  | { readonly tool: 'read_inbox'; readonly message: MessageId | null; readonly from: number }
  | { readonly tool: 'stop_task'; readonly task: string; readonly reason: string | null }
  /** It is on disk. `value`: where the run itself makes something of it. */
  | { readonly tool: 'submit_artifact'; readonly stored: StoredArtifact; readonly value: Json }
  | { readonly tool: 'claim_paths'; readonly paths: readonly string[] }
  /** No paths: all that it has claimed. */
  | { readonly tool: 'release_paths'; readonly paths: readonly string[] }
  | { readonly tool: 'report_progress'; readonly line: string; readonly fraction: number | null }
  | {
      readonly tool: 'ask_person';
      readonly question: string;
      readonly options: readonly string[];
    }
  | { readonly tool: 'complete_phase' }
  | { readonly tool: 'team_create'; readonly name: string; readonly purpose: string }
  | { readonly tool: 'team_list' }
  | { readonly tool: 'team_delete'; readonly team: string; readonly force: boolean }
  /** What is left out is not changed; the answer is the list. */
  | {
      readonly tool: 'team_tasks';
      readonly team: string;
      readonly add: readonly { readonly title: string; readonly text: string; readonly needs: readonly number[] }[];
      readonly done: readonly { readonly n: number; readonly result: string }[];
      readonly giveBack: readonly number[];
      /** Where on the list to begin. */
      readonly from: number;
      /** One of it whole, in place of the list. */
      readonly show: number | null;
    }
  /** No number: the first that is free. */
  | { readonly tool: 'claim_task'; readonly team: string; readonly n: number | null };

export interface SpawnRequest {
  /** null = by number. */
  readonly name: string | null;
  readonly prompt: string;
  readonly role: string | null;
  /** The words of that role, which stand before its own. */
  readonly before: string;
  /** With the settings that go with harness, role, model and effort; null = as its parent has them. */
  readonly work: {
    readonly harness: string;
    readonly settings: Readonly<Record<string, string>>;
    readonly spends: boolean;
  } | null;
  /** null = as its parent's; [] = it changes nothing. */
  readonly writes: readonly string[] | null;
  readonly output: JsonObject | null;
  readonly outputKind: NamedKind | null;
  /** Names of tasks whose results it is given. */
  readonly inputs: readonly string[];
  readonly budget: Budget | null;
  readonly timeoutMs: number | null;
  /** The team that it is a member of. */
  readonly team: string | null;
}

export type ToolName = Exclude<CallRequest['tool'], 'answered'> | 'read_output';

/** After these the agent has nothing to do until it is told. */
export const parkingTools: readonly ToolName[] = ['wait', 'ask_person'];
