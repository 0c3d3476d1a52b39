// What may be said to an agent. Plain data; its harness makes a record of it.

import type { GateId } from './ids.ts';

export type MessageBody =
  /** `again`: the agent has worked on it before and no longer knows. */
  | { readonly kind: 'prompt'; readonly again?: boolean }
  | { readonly kind: 'text'; readonly text: string }
  /** Written as it is: an answer that the harness itself gave to its agent. */
  | { readonly kind: 'record'; readonly record: string }
  /** What a person decided at a gate. */
  | { readonly kind: 'answer'; readonly gateId: GateId }
  /** The answer to an agent that asked between two requests whether it may go on. */
  | { readonly kind: 'round'; readonly requestId: string; readonly goOn: boolean }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'end' };

/** Control records steer a process; the others speak to the agent. */
export function isControl(body: MessageBody): boolean {
  return body.kind !== 'prompt' && body.kind !== 'text';
}
