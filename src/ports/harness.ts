// The seam to one kind of agent. A harness does no I/O: it names what to start, turns lines into events and orders
// into lines. Its codec's state is plain JSON text, journalled with the offset it belongs to.

import type { QuestionAnswer } from '../model/asks/question.ts';
import type { RecordId } from '../model/core/ids.ts';
import type { JsonObject } from '../model/core/json.ts';
import type { RecordBody } from '../model/messages/record-body.ts';
import type { AgentEvent, Turn } from '../model/session/agent-fact.ts';
import type { Usage } from '../model/spending/usage.ts';

export interface Harness {
  readonly name: string;
  /** What this kind of agent can do beyond taking a prompt and ending. */
  readonly capabilities: readonly Capability[];
  /** For how long it may be silent, where its task does not say otherwise. */
  readonly stall: StallWindows;
  /** What to run for an agent, in which environment, with which files in its home. */
  command(agent: AgentContext): LaunchOrder;
  /** Records, newlines included, that stand in `in` before the first order of every launch. Empty = none. */
  opening(agent: AgentContext): string;
  /** The codec's state before the first line of a launch. */
  initial(agent: AgentContext): string;
  /** One whole line of output. Total: whatever an agent prints, this answers. */
  read(state: string, line: string): ReadStep;
  /** What the end of the process means where no line told; null = nothing. */
  ended(state: string, status: number | null): Turn | null;
  /** What the agent had begun and not ended when its codec was in this state: a few short texts, its own words. */
  inFlight(state: string): readonly string[];
  /**
   * The record that carries an order to the agent. It sees the codec's state, because many protocols hand out ids (thread,
   * turn) that later orders have to carry, and changes nothing in it: only `read` does. Ids of our own derive from the
   * order's, so that the answer to a request tells `read` which order it was. An answer to what the agent asked carries the
   * id of its request and is never `notYet`.
   */
  encode(state: string, order: Order): Encoded;
  /** One sentence on what is wrong with a task's settings for it; null = nothing. */
  settingsFlaw(settings: Readonly<Record<string, string>>): string | null;
  /** How a person takes a session up in the agent's own interface; left out = it has none. Says it only. */
  reopen?(session: SessionPlace): Reopening;
  /** How large the context window of an agent with this model is, where its name tells; left out = no name does. */
  window?(model: string | undefined): number | null;
  /** Where the agent itself keeps its session, below its home; null = it keeps none. */
  transcript(agent: AgentContext, cwd: string): string | null;
  /** How its session's own record is read for what it has used; left out = it keeps none. */
  readonly meter?: Meter;
  /** Which of the messages that were sent, in this order, the agent took up, judged by its own session's lines. */
  delivered(transcript: Iterable<string>, sent: readonly RecordId[]): ReadonlySet<RecordId>;
}

export interface SessionPlace {
  readonly session: string;
  readonly home: string;
  /** Sessions are found by the directory they were begun in. */
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
  /** While a tool call or background work of the agent is under way. */
  readonly toolStallMs: number;
}

/** The record holds all that the session has used, also in the middle of a turn and in earlier processes. */
export interface Meter {
  /** Where it lies below the agent's home. The files of the folder that end in .jsonl count too, if there is one. */
  places(agent: AgentContext, cwd: string): { readonly file: string; readonly folder: string | null };
  /** What one line says of a request to the model; null = nothing. Of several lines on one request the last holds. */
  read(line: string): MeteredRequest | null;
  /** The request that must be in the record before anybody counts, by the codec's state; null = none. */
  awaited(state: string): MeteredRequest | null;
}

export interface MeteredRequest {
  readonly id: string;
  /** It has ended: no line will say more. */
  readonly whole: boolean;
  readonly model: string | null;
  /** One turn. The cost is null where the record has none. */
  readonly usage: Usage;
}

/** `steer`: takes messages during a turn. `tools`: calls tools of ours. `output`: answers by a schema. */
export type Capability =
  | 'steer'
  | 'interrupt'
  | 'permission'
  | 'tools'
  | 'output'
  | 'usage'
  | 'resume'
  /** Has no tools but those that its task says, and asks before it uses them where it has to. */
  | 'heeds'
  /** Is told the repository's own words for agents: it does not read them itself. */
  | 'instructions'
  /** Makes its conversation shorter on being told, between two turns. */
  | 'compact'
  /** Ends on being told, without a signal. */
  | 'end';

export interface LaunchOrder {
  /** Seen by every user of the machine: no secrets. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** To be written below the agent's home before it starts, for its owner only. */
  readonly files?: readonly HomeFile[];
  /** What it runs of besides the program itself: in a sandbox it has to be shown. */
  readonly reads?: readonly string[];
}

export interface HomeFile {
  readonly path: string;
  readonly text: string;
}

export interface ReadStep {
  readonly state: string;
  /** Those that `changesState` are journalled with the offset; the others are news for people. */
  readonly events: readonly AgentEvent[];
  /** Records to append to `in`: requests of the agent that are answered here and now. Repeating one does no harm. */
  readonly replies: readonly string[];
}

export interface AgentContext {
  readonly agentId: string;
  readonly session: string | null;
  /** How many it had before this one; left out = none. */
  readonly sessionsBefore?: number;
  readonly resume: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly home: string;
  /** A sandbox is around it: then it need not ask before it acts. */
  readonly sandboxed?: boolean;
  /** JSON Schema of what it is to give; null or left out = nothing. */
  readonly schema?: JsonObject | null;
  /** The repository's own words for agents, for those that do not read them themselves. */
  readonly instructions?: string | null;
  /** It asks at every tool round whether it may go on: what it spends is limited. */
  readonly brake?: boolean;
  /** A rule of its task wants to be heard before it acts, sandbox or not. */
  readonly asks?: boolean;
}

/**
 * `notYet`: an id that the order has to carry was not handed out yet. The engine tries again when a line has changed the
 * codec's state, and lets what does not depend on it pass; a line that makes an order possible gives a fact too.
 */
export type Encoded = EncodedRecord | 'notYet';

export interface EncodedRecord {
  /** Newline included. */
  readonly record: string;
  /**
   * What of the codec's state the record carries, as a state: encoding the same order with it gives the same bytes. It is
   * journalled before the record is written, so that one that a crash has torn is completed and not followed by another.
   * null = the bytes are the same in every state.
   */
  readonly pinned: string | null;
}

export interface Order {
  readonly recordId: RecordId;
  readonly body: OrderBody;
}

export type OrderBody = Exclude<RecordBody, { kind: 'prompt' | 'answer' | 'messages' | 'toolAnswer' }> | AnswerBody;

/** Answers to what the agent asked, by the id of its request. */
export type AnswerBody =
  /** `answers`: to the questions that the request asked, one each. */
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
