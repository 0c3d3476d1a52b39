// What a harness reads from an agent's output: one flat union. Facts change state and are journalled; the rest only shows
// progress to people. All of it is what the agent claims.

import type { PermissionRequest } from '../asks/permission.ts';
import type { Failure } from '../core/failure.ts';
import type { RecordId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { ModelUsage, Usage } from '../spending/usage.ts';
import type { Call } from '../tool-calls/call.ts';
import type { Compaction, Filled } from './session-events.ts';

/** What the engine journals. Everything else in `AgentEvent` may be lost: it stays in the transcript. */
export type AgentFact =
  | { readonly kind: 'session'; readonly session: string }
  /** The session that was to be resumed does not exist. */
  | { readonly kind: 'sessionLost' }
  | { readonly kind: 'delivered'; readonly recordId: RecordId }
  /** The usage of one model since the last report. */
  | { readonly kind: 'usage'; readonly model: string | null; readonly usage: Usage }
  /** The usage of its session in all, as the agent reports it in the middle of a turn. */
  | { readonly kind: 'metered'; readonly parts: readonly ModelUsage[] }
  /** Between two requests to the model, the agent waits for permission to continue. */
  | { readonly kind: 'round'; readonly requestId: string }
  /** A tool round of one that does not ask so is over, while its run is paused. */
  | { readonly kind: 'roundOver' }
  /** The model has answered this process for the first time, or for the first time since a limit. */
  | { readonly kind: 'answered' }
  | ({ readonly kind: 'limited' } & Limited)
  /** How much of its account's allowance is used, as far as the agent reports it. */
  | ({ readonly kind: 'allowance' } & Allowance)
  /** How full its context is: reported when it passes the task's limit, and at the end of a turn. */
  | ({ readonly kind: 'filled' } & Filled)
  | ({ readonly kind: 'compaction' } & Compaction)
  | { readonly kind: 'turnEnded'; readonly turn: Turn }
  /** The agent asks a person for a permission or for answers to its questions, and waits. */
  | ({ readonly kind: 'permissionRequest' } & PermissionRequest)
  /** The agent is blocked until one of these requests is answered: it does nothing else. */
  | { readonly kind: 'blocked'; readonly requestIds: readonly string[] }
  /** The agent has called one of our tools and waits for the answer. */
  | ({ readonly kind: 'call' } & Call)
  /** A request that no longer needs an answer. */
  | { readonly kind: 'withdrawn'; readonly requestId: string }
  /** The output of the turn, and what is wrong with it: it is checked against the task's schema when it is read. */
  | { readonly kind: 'output'; readonly value: Json; readonly problems: readonly string[] };

export type AgentEvent =
  | AgentFact
  /** `within` is the tool call by which the agent's own subagent runs; null = the agent itself. */
  | { readonly kind: 'text'; readonly text: string; readonly within: string | null }
  | {
      readonly kind: 'toolCall';
      readonly id: string;
      readonly tool: string;
      /** What the call does, as a person would say it: `npm test`. One bounded line without control characters. */
      readonly what: string;
      readonly input: unknown;
      readonly within: string | null;
    }
  /** `text` is cut to `turnTextMax`. */
  | { readonly kind: 'toolResult'; readonly id: string; readonly isError: boolean; readonly text: string }
  /** How many tokens of its context window the agent's last request used. */
  | { readonly kind: 'context'; readonly tokens: number }
  /** The size of that window. */
  /** `inTurn`: reported in the middle of a turn, not with its end. */
  | { readonly kind: 'window'; readonly tokens: number; readonly inTurn?: true }
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly attemptsMax: number;
      readonly delayMs: number;
      /** The HTTP status; null = no answer came. */
      readonly status: number | null;
    }
  /** The account's own limit; null = the agent did not say until when. */
  | { readonly kind: 'rateLimit'; readonly rejected: boolean; readonly resetsAtMs: number | null }
  /** The agent called one of our tools and waits for the answer. */
  | {
      readonly kind: 'toolServerCall';
      readonly requestId: string;
      readonly rpcId: string | number;
      readonly server: string;
      readonly tool: string;
      readonly input: unknown;
      readonly toolUseId: string | null;
    }
  /** A hook that is not ours. The harness has let it pass, because nothing else answers it. */
  | {
      readonly kind: 'hookCall';
      readonly requestId: string;
      readonly callback: string;
      readonly hook: string;
      readonly toolUseId: string | null;
      readonly input: unknown;
    }
  /** Background work that goes on while the agent is idle: a command or a subagent. */
  | { readonly kind: 'backgroundStarted'; readonly id: string; readonly what: string }
  | { readonly kind: 'backgroundEnded'; readonly id: string; readonly status: string }
  /** The last text of a turn, whole; sent only if it is long. */
  | { readonly kind: 'said'; readonly text: string }
  /** The structured output of the turn, whole and unchanged. */
  | { readonly kind: 'structured'; readonly value: unknown }
  | { readonly kind: 'error'; readonly code: string; readonly text: string }
  /** The beginning of a line that is not part of the protocol. */
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
    case 'roundOver':
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

/** How a turn ended. `text` is cut to `turnTextMax`; the whole is in the transcript and, if it is long, in the file `whole`. */
export type Turn =
  | { readonly kind: 'ok'; readonly text: string; readonly cut: boolean; readonly whole?: string }
  /** `said`: its last words, cut the same way. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly said?: string; readonly whole?: string };

/** The model's service refuses. */
export interface Limited {
  /** `rate`: too many requests at once. `quota`: the account's quota is exhausted. `unavailable`: the service fails. */
  readonly limit: LimitKind;
  /** When to retry; null = unknown. */
  readonly untilMs: number | null;
  /** How long the agent was told to wait. A codec has no clock: the engine turns this into a time. */
  readonly waitMs?: number;
}

export const limitKinds = ['rate', 'quota', 'unavailable'] as const;
export type LimitKind = (typeof limitKinds)[number];

export interface Allowance {
  /** The name of the account's limit, as the agent gives it. */
  readonly of: string;
  /** From 0 to 1; null = not reported. */
  readonly used: number | null;
  readonly resetsAtMs: number | null;
}

export const turnTextMax = 2_000;
