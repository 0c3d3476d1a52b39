// The content of an input record, as plain data; the harness encodes it.

import type { AskId, MessageId } from '../core/ids.ts';

export type RecordBody =
  /** `again`: the agent has worked on it before, but its session is lost. */
  | { readonly kind: 'prompt'; readonly again?: boolean }
  | { readonly kind: 'text'; readonly text: string }
  /** Messages of its mailbox, in order, and how many more there are. */
  | { readonly kind: 'messages'; readonly messages: readonly MessageId[]; readonly left: number }
  /** Written as it is: a reply that the harness itself made. */
  | { readonly kind: 'record'; readonly record: string }
  /** A person's answer to an ask. */
  | { readonly kind: 'answer'; readonly askId: AskId }
  /** The answer to an agent that asked between two model requests whether it may go on. */
  | { readonly kind: 'round'; readonly requestId: string; readonly goOn: boolean }
  /** The answer to a tool call. */
  | {
      readonly kind: 'toolAnswer';
      readonly requestId: string;
      readonly rpcId: string | number;
      readonly text: string;
      readonly isError: boolean;
    }
  /** Between two turns: compact the session. */
  | { readonly kind: 'compact' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'end' };

/** Control records steer the process; the others are input to the agent. */
export function isControl(body: RecordBody): boolean {
  return body.kind !== 'prompt' && body.kind !== 'text' && body.kind !== 'messages';
}
