// The type of a wait: why a task does not go on, until when at most, and whose move it is. Data only; clients make sentences of
// it.

import type { Rest } from '../children/resting.ts';
import type { AskId } from '../core/ids.ts';
import type { PauseScope } from '../core/pause.ts';
import type { LimitKind } from '../session/agent-fact.ts';

/** What ends the wait: a person, Signalbox itself, a model's service, another agent, or a free slot of the machine. */
export type WaitOwner = 'person' | 'signalbox' | 'service' | 'agent' | 'host';

/** `until`: when it ends by itself at the latest; null = unknown. */
export type Wait = { readonly until: number | null; readonly owner: WaitOwner } & (
  | { readonly kind: 'needs'; readonly detail: { tasks: { name: string; milestone: boolean }[]; more: number } }
  | { readonly kind: 'decision'; readonly detail: Record<never, never> }
  | { readonly kind: 'retry'; readonly detail: { attempt: number; reason: string | null } }
  /** `path` is null if earlier tasks wait for the same paths. */
  | { readonly kind: 'paths'; readonly detail: { path: string | null; holder: string | null } }
  /** `what` is null if the budget is reserved for others now, and for a day's budget. */
  | { readonly kind: 'budget'; readonly detail: BudgetDetail }
  | { readonly kind: 'service'; readonly detail: { limit: LimitKind; harness: string; probed: boolean } }
  | { readonly kind: 'slot'; readonly detail: SlotDetail }
  /** A person holds it. `of`: its run, or all on the host. */
  | { readonly kind: 'pause'; readonly detail: { of: PauseScope; by: string; since: number } }
  /** A person ended its turn: it waits for a message of a person. */
  | { readonly kind: 'interrupt'; readonly detail: { by: string; since: number } }
  /** What the machine lacks. */
  | { readonly kind: 'machine'; readonly detail: { lack: string } }
  | { readonly kind: 'start'; readonly detail: { resumes: boolean } }
  /** `tool`: the tool that a permission is asked for; otherwise `line` is the first line of the question. */
  | {
      readonly kind: 'ask';
      readonly detail: { askId: AskId; ask: string; tool: string | null; line: string; since: number };
    }
  | { readonly kind: 'members'; readonly detail: { ended: number; all: number } }
  /** Its agent has ended a turn and rests until another agent or a person does something. */
  | { readonly kind: 'rest'; readonly detail: Rest }
  | { readonly kind: 'failing'; readonly detail: { effect: string; times: number; message: string } }
);

export interface BudgetDetail {
  of: 'run' | 'task' | 'tree' | 'day' | 'reserved';
  task: string | null;
  what: string | null;
  spent: number | null;
  limit: number | null;
  words: string;
}

/** `harness`: the limit is for agents of one harness; null = for all. */
export interface SlotDetail {
  of: 'host' | 'run';
  harness: string | null;
  all: number;
  after: 'start' | 'rest' | 'answer';
}
