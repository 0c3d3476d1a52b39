// The port of one kind of agent. A harness does no I/O: it names what to start, turns lines into events and orders into lines.
// Its codec's state is plain JSON text, journalled with the offset it belongs to.

import type { QuestionAnswer } from '../model/asks/question.ts';
import type { AgentTools } from '../model/core/agent-tools.ts';
import type { RecordId } from '../model/core/ids.ts';
import type { JsonObject } from '../model/core/json.ts';
import type { RecordBody } from '../model/messages/record-body.ts';
import type { AgentEvent, Turn } from '../model/session/agent-fact.ts';
import type { Usage } from '../model/spending/usage.ts';
import type { ImageType } from '../std/image-type.ts';
import type { Capability } from './capability.ts';

export interface Harness {
  readonly name: string;
  /** What this kind of agent can do besides reading a prompt and ending. */
  readonly capabilities: readonly Capability[];
  /** Its stall windows, if its task sets none. */
  readonly stall: StallWindows;
  /** The command of an agent, its environment, and the files in its home. */
  command(agent: AgentContext): LaunchOrder;
  /** Records, newlines included, at the beginning of every launch's `in`. Empty = none. */
  opening(agent: AgentContext): string;
  /** The codec's state before the first line of a launch. */
  initial(agent: AgentContext): string;
  /** Reads one whole line of output. Total: it answers whatever an agent prints. */
  read(state: string, line: string): ReadStep;
  /** What the end of the process means if no line reported it; null = nothing. */
  ended(state: string, status: number | null): Turn | null;
  /** What was open at this state of the codec: a few short texts in the agent's words. */
  inFlight(state: string): readonly string[];
  /**
   * The record that carries an order to the agent. It sees the codec's state, because many protocols hand out ids (thread,
   * turn) that later orders have to carry, but never changes it: only `read` does. Ids of our own derive from the order's, so
   * that the answer to a request tells `read` which order it was. An answer to an agent's request carries the id of that
   * request and is never `notYet`. `agent` is as it was launched.
   */
  encode(state: string, order: Order, agent: AgentContext): Encoded;
  /** One sentence on what is wrong with a task's settings; null = nothing. */
  settingsFlaw(settings: Readonly<Record<string, string>>): string | null;
  /** How a person resumes a session in the agent's own interface; left out = it has none. Only names the command. */
  reopen?(session: SessionPlace): Reopening;
  /** The size of this model's context window, if its name tells; left out = no name does. */
  window?(model: string | undefined): number | null;
  /** Where the agent itself keeps its session, below its home; `*` stands for a part of a name that only it knows. null = nowhere. */
  transcript(agent: AgentContext, cwd: string): string | null;
  /** Where a copy of a person's session has to be, below the agent's home, to be resumed in `cwd`; left out = it cannot. */
  adopted?(session: string, cwd: string): string;
  /** How usage is read from the agent's own session file; left out = it keeps none. */
  readonly meter?: Meter;
  /** Which of the records that were sent, in this order, the agent has read, judged by its own session file. */
  delivered(transcript: Iterable<string>, sent: readonly RecordId[]): ReadonlySet<RecordId>;
}

export interface SessionPlace {
  readonly session: string;
  readonly home: string;
  /** Sessions are found by the directory they were started in. */
  readonly cwd: string;
}

export interface Reopening {
  readonly argv: string[];
  /** To be set in the person's own environment, which has the credential. */
  readonly env: Record<string, string>;
  readonly cwd: string;
}

/** How long an agent may print nothing in the middle of a turn before it counts as stalled. */
export interface StallWindows {
  readonly stallMs: number;
  /** While a tool call or background work of the agent is open. */
  readonly toolStallMs: number;
}

/** The agent's session file holds all its usage, also in the middle of a turn and from earlier processes. */
export interface Meter {
  /** Where it is, below the agent's home. Files of the folder that end in .jsonl count too, if there is one. */
  places(agent: AgentContext, cwd: string): { readonly file: string; readonly folder: string | null };
  /**
   * Reads one file from its start: the request to the model that a line reports; null = none. Of several lines about one request the
   * last counts.
   */
  reader(): (line: string) => MeteredRequest | null;
  /** The request that must be in the file before its usage is counted, by the codec's state; null = none. */
  awaited(state: string): MeteredRequest | null;
}

export interface MeteredRequest {
  readonly id: string;
  /** It has ended: no further line reports it. */
  readonly whole: boolean;
  readonly model: string | null;
  /** The usage of one request. The cost is null if the file has none. */
  readonly usage: Usage;
}

export interface LaunchOrder {
  /** Visible to every user of the machine: no secrets. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** To be written below the agent's home before it starts, for its owner only. */
  readonly files?: readonly HomeFile[];
  /** Files that it needs besides the program itself: the sandbox has to show them. */
  readonly reads?: readonly string[];
}

export interface HomeFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  /** Left out = false. */
  readonly executable?: boolean;
}

export interface ReadStep {
  readonly state: string;
  /** Those that `changesState` are journalled with the offset; the others are shown to people. */
  readonly events: readonly AgentEvent[];
  /** Records to append to `in`: immediate answers to requests of the agent. Repeating one does no harm. */
  readonly replies: readonly string[];
}

export interface AgentContext {
  readonly agentId: string;
  readonly session: string | null;
  /** How many sessions it had before this one; left out = none. */
  readonly sessionsBefore?: number;
  readonly resume: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly home: string;
  /** It runs in a sandbox: then it need not ask before it acts. */
  readonly sandboxed?: boolean;
  /** JSON Schema of its output; null or left out = none. */
  readonly schema?: JsonObject | null;
  /** The repository's instructions, for agents that do not read them themselves. */
  readonly instructions?: string | null;
  /** Tools of the user's and of a trusted repository; left out = none. */
  readonly tools?: AgentTools;
  /** It asks at every tool round whether it may continue, because its spending is limited. */
  readonly brake?: boolean;
  /** A rule of its task requires asking before some calls, sandbox or not. */
  readonly asks?: boolean;
}

/**
 * `notYet`: an id that the order has to carry was not handed out yet. The engine tries again when a line has changed the
 * codec's state, and lets independent orders pass; a line that makes an order possible gives a fact too.
 */
export type Encoded = EncodedRecord | 'notYet';

export interface EncodedRecord {
  /** Newline included. */
  readonly record: string;
  /**
   * The part of the codec's state that the record carries, as a state: encoding the same order with it gives the same bytes. It
   * is journalled before the record is written, so that a record torn by a crash is completed and not followed by another. null
   * = the bytes are the same in every state.
   */
  readonly pinned: string | null;
}

/** An image that goes with a text. */
export interface OrderImage {
  readonly type: ImageType;
  /** Base64. */
  readonly data: string;
  /** Where it is as a file. */
  readonly path: string;
}

export interface Order {
  readonly recordId: RecordId;
  /** With a text; left out = none. */
  readonly images?: readonly OrderImage[];
  readonly body: OrderBody;
}

export type OrderBody = Exclude<RecordBody, { kind: 'prompt' | 'answer' | 'messages' | 'toolAnswer' }> | AnswerBody;

/** Answers to an agent's requests, by request id. */
export type AnswerBody =
  /** `answers`: to the questions of the request, one each. */
  | {
      readonly kind: 'allow';
      readonly requestId: string;
      readonly input: unknown;
      readonly answers?: readonly QuestionAnswer[];
    }
  | { readonly kind: 'deny'; readonly requestId: string; readonly message: string; readonly interrupt: boolean }
  | {
      readonly kind: 'toolAnswer';
      readonly requestId: string;
      readonly rpcId: string | number;
      readonly text: string;
      readonly isError: boolean;
    };
