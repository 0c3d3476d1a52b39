// A call of one of Signalbox's tools, as plain data: read and validated by src/engine/tool-calls, decided in this folder.

import type { StoredArtifact } from '../attempt/artifact.ts';
import type { NamedKind } from '../attempt/artifact-kinds.ts';
import type { MessageId, RunId, TaskId } from '../core/ids.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Budget } from '../spending/budget.ts';

export interface Call {
  /** The agent's own id of the call: a call with the same id is the same call. */
  readonly callId: string;
  /** The id of the request that the answer refers to. */
  readonly requestId: string;
  readonly rpcId: string | number;
  /** The arguments, cut short, for people. */
  readonly excerpt: string;
  /** Whether the agent has used a tool that is not ours since its last call. */
  readonly worked: boolean;
  readonly request: CallRequest;
}

export type CallRequest =
  /** The engine has the answer already: the call is invalid, or it only reads. */
  | { readonly tool: 'answered'; readonly name: string; readonly text: string; readonly isError: boolean }
  | ({ readonly tool: 'spawn_agent' } & SpawnRequest)
  /** No tasks: all its children that have not ended. */
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
      /** The receiver in another run that the engine found by its address, and the repository of that run. */
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
  /** The artifact is on disk. `value`: set if the run itself uses it. */
  | { readonly tool: 'submit_artifact'; readonly stored: StoredArtifact; readonly value: Json }
  | { readonly tool: 'claim_paths'; readonly paths: readonly string[] }
  /** No paths: everything that it has claimed. */
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
  /** Fields that are left out are not changed; the answer is the list. */
  | {
      readonly tool: 'team_tasks';
      readonly team: string;
      readonly add: readonly { readonly title: string; readonly text: string; readonly needs: readonly number[] }[];
      readonly done: readonly { readonly n: number; readonly result: string }[];
      readonly giveBack: readonly number[];
      /** The first item to list. */
      readonly from: number;
      /** The number of one item to show whole instead of the list. */
      readonly show: number | null;
    }
  /** No number: the first free item. */
  | { readonly tool: 'claim_task'; readonly team: string; readonly n: number | null };

export interface SpawnRequest {
  /** null = named by its number. */
  readonly name: string | null;
  readonly prompt: string;
  readonly role: string | null;
  /** The role's prompt, which comes before its own. */
  readonly before: string;
  /** Harness and settings that follow from role, model and effort; null = its parent's. */
  readonly work: {
    readonly harness: string;
    readonly settings: Readonly<Record<string, string>>;
    readonly spends: boolean;
  } | null;
  /** null = its parent's; [] = it changes nothing. */
  readonly writes: readonly string[] | null;
  readonly output: JsonObject | null;
  readonly outputKind: NamedKind | null;
  /** Names of tasks whose results it gets. */
  readonly inputs: readonly string[];
  readonly budget: Budget | null;
  readonly timeoutMs: number | null;
  /** The team that it is a member of. */
  readonly team: string | null;
}

export type ToolName = Exclude<CallRequest['tool'], 'answered'> | 'read_output';

/** After these tools the agent's turn ends until it is notified. */
export const parkingTools: readonly ToolName[] = ['wait', 'ask_person'];
