// What a harness reads out of an agent's output: one flat union. Those that change state are journalled as facts, the
// rest only feeds what people see of the progress. All of it is the agent's word.

import type { PermissionRequest } from '../asks/permission.ts';
import type { Failure } from '../core/failure.ts';
import type { RecordId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { ModelUsage, Usage } from '../spending/usage.ts';
import type { Call } from '../tool-calls/call.ts';
import type { Compaction, Filled } from './session-events.ts';

/** What the engine journals. Everything else in `AgentEvent` may be forgotten: it stays in the transcript. */
export type AgentFact =
  | { readonly kind: 'session'; readonly session: string }
  /** The session that was to be taken up again is not there. */
  | { readonly kind: 'sessionLost' }
  | { readonly kind: 'delivered'; readonly recordId: RecordId }
  /** What was used since it was told last, by one model. */
  | { readonly kind: 'usage'; readonly model: string | null; readonly usage: Usage }
  /** What its session has used in all, by its own record: told in the middle of a turn. */
  | { readonly kind: 'metered'; readonly parts: readonly ModelUsage[] }
  /** Between two requests to the model it waits to hear whether it may go on. */
  | { readonly kind: 'round'; readonly requestId: string }
  /** The model has answered this process for the first time, or for the first time since a limit. */
  | { readonly kind: 'answered' }
  | ({ readonly kind: 'limited' } & Limited)
  /** How much of its account's allowance is used, as far as the agent tells. */
  | ({ readonly kind: 'allowance' } & Allowance)
  /** How full its context is: where that passes what its task allows, and at the end of a turn. */
  | ({ readonly kind: 'filled' } & Filled)
  | ({ readonly kind: 'compaction' } & Compaction)
  | { readonly kind: 'turnEnded'; readonly turn: Turn }
  /** It wants to know from people whether it may do this, or what they answer to its questions, and waits. */
  | ({ readonly kind: 'permissionRequest' } & PermissionRequest)
  /** It can do nothing until one of these requests is answered: nothing else of it goes on. */
  | { readonly kind: 'blocked'; readonly requestIds: readonly string[] }
  /** It has called a tool of ours, and waits for the answer. */
  | ({ readonly kind: 'call' } & Call)
  /** A request that needs no answer any more. */
  | { readonly kind: 'withdrawn'; readonly requestId: string }
  /** The output of the turn, and what is wrong with it: whoever reads it holds it to the task's schema. */
  | { readonly kind: 'output'; readonly value: Json; readonly problems: readonly string[] };

export type AgentEvent =
  | AgentFact
  /** `within` is the tool call of the agent's own subagent that said it; null = the agent itself. */
  | { readonly kind: 'text'; readonly text: string; readonly within: string | null }
  | {
      readonly kind: 'toolCall';
      readonly id: string;
      readonly tool: string;
      /** What it does, as a person would say it: `npm test`. One bounded line without control characters. */
      readonly what: string;
      readonly input: unknown;
      readonly within: string | null;
    }
  /** `text` is cut to `turnTextMax`. */
  | { readonly kind: 'toolResult'; readonly id: string; readonly isError: boolean; readonly text: string }
  /** How much of its context window the agent's last request filled. */
  | { readonly kind: 'context'; readonly tokens: number }
  /** How large that window is. */
  /** `inTurn`: told in the middle of one, and not with its end. */
  | { readonly kind: 'window'; readonly tokens: number; readonly inTurn?: true }
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly attemptsMax: number;
      readonly delayMs: number;
      /** Of HTTP; null = no answer came. */
      readonly status: number | null;
    }
  /** The account's own limit; null = the agent did not say until when. */
  | { readonly kind: 'rateLimit'; readonly rejected: boolean; readonly resetsAtMs: number | null }
  /** The agent called a tool of ours and waits for the answer. */
  | {
      readonly kind: 'toolServerCall';
      readonly requestId: string;
      readonly rpcId: string | number;
      readonly server: string;
      readonly tool: string;
      readonly input: unknown;
      readonly toolUseId: string | null;
    }
  /** A hook of others'. The harness has let it pass, because nobody else would. */
  | {
      readonly kind: 'hookCall';
      readonly requestId: string;
      readonly callback: string;
      readonly hook: string;
      readonly toolUseId: string | null;
      readonly input: unknown;
    }
  /** Work that goes on while the agent is idle: a command or a subagent in the background. */
  | { readonly kind: 'backgroundStarted'; readonly id: string; readonly what: string }
  | { readonly kind: 'backgroundEnded'; readonly id: string; readonly status: string }
  /** What the turn ended with, whole; told where it is long. */
  | { readonly kind: 'said'; readonly text: string }
  /** The structured output of the turn, whole and as it was given. */
  | { readonly kind: 'structured'; readonly value: unknown }
  | { readonly kind: 'error'; readonly code: string; readonly text: string }
  /** A line that is not of the protocol; its beginning. */
  | { readonly kind: 'garbage'; readonly text: string };

export function changesState(event: AgentEvent): event is AgentFact {
  switch (event.kind) {
    case 'session':
    case 'sessionLost':
    case 'delivered':
    case 'usage':
    case 'turnEnded':
    case 'permissionRequest':
    case 'blocked':
    case 'withdrawn':
    case 'output':
    case 'call':
    case 'metered':
    case 'round':
    case 'answered':
    case 'limited':
    case 'allowance':
    case 'filled':
    case 'compaction':
      return true;
    default:
      return false;
  }
}

/** How a turn ended. `text` is cut to `turnTextMax`; the whole is in the transcript, and where it is long in the file `whole`. */
export type Turn =
  | { readonly kind: 'ok'; readonly text: string; readonly cut: boolean; readonly whole?: string }
  /** `said`: its last words, cut likewise. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly said?: string; readonly whole?: string };

/** The model's service refuses. */
export interface Limited {
  /** `rate`: too many requests at once. `quota`: the account has used up what it may. `unavailable`: the service fails. */
  readonly limit: LimitKind;
  /** When it may be tried again; null = nobody said. */
  readonly untilMs: number | null;
  /** How long the agent was told to wait, by one who has no clock; whoever has one makes a time of it. */
  readonly waitMs?: number;
}

export const limitKinds = ['rate', 'quota', 'unavailable'] as const;
export type LimitKind = (typeof limitKinds)[number];

export interface Allowance {
  /** Which of the account's limits, in the agent's words. */
  readonly of: string;
  /** From 0 to 1; null = not told. */
  readonly used: number | null;
  readonly resetsAtMs: number | null;
}

export const turnTextMax = 2_000;
