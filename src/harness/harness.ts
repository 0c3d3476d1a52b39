// The seam to one kind of agent. A harness does no I/O: it names what to start, turns lines into facts and orders
// into lines. Its codec's state is plain JSON text, journalled with the offset it belongs to.

import type { AgentFact, Turn } from '../model/agent-fact.ts';
import type { MessageBody } from '../model/events.ts';
import type { MessageId } from '../model/ids.ts';

export interface Harness {
  readonly name: string;
  /** What to run for an agent, in which environment. */
  command(agent: AgentContext): { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** The codec's state before the first line of a launch. */
  readonly initial: string;
  /** One whole line of output. Total: whatever an agent prints, this answers. */
  read(state: string, line: string): { readonly state: string; readonly facts: readonly AgentFact[] };
  /** What the end of the process means where no line told; null = nothing. */
  ended(state: string, status: number | null): Turn | null;
  /** The record, newline included, that carries an order to the agent. */
  encode(order: Order): string;
}

export interface AgentContext {
  readonly agentId: string;
  readonly session: string | null;
  readonly resume: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly home: string;
}

export interface Order {
  readonly messageId: MessageId;
  readonly body: Exclude<MessageBody, { kind: 'prompt' }>;
}
