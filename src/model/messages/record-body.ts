// What may be said to an agent. Plain data; its harness makes a record of it.

import type { AskId, MessageId } from '../core/ids.ts';

export type RecordBody =
  /** `again`: the agent has worked on it before and no longer knows. */
  | { readonly kind: 'prompt'; readonly again?: boolean }
  | { readonly kind: 'text'; readonly text: string }
  /** Messages of its mailbox, in order; how many more there are. */
  | { readonly kind: 'messages'; readonly messages: readonly MessageId[]; readonly left: number }
  /** Written as it is: an answer that the harness itself gave to its agent. */
  | { readonly kind: 'record'; readonly record: string }
  /** What a person decided at a gate. */
  | { readonly kind: 'answer'; readonly askId: AskId }
  /** The answer to an agent that asked between two requests whether it may go on. */
  | { readonly kind: 'round'; readonly requestId: string; readonly goOn: boolean }
  /** The answer to a call of one of our tools. */
  | {
      readonly kind: 'toolAnswer';
      readonly requestId: string;
      readonly rpcId: string | number;
      readonly text: string;
      readonly isError: boolean;
    }
  /** Between two turns: it is to make its conversation shorter. */
  | { readonly kind: 'compact' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'end' };

/** Control records steer a process; the others speak to the agent. */
export function isControl(body: RecordBody): boolean {
  return body.kind !== 'prompt' && body.kind !== 'text' && body.kind !== 'messages';
}
