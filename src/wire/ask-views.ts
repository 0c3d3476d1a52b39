// What the daemon tells of what people are asked, by agents and about tasks: what is shown with it, and what became of it. A
// client ignores keys it does not know.

import * as z from './answer-shape.ts';
import { exhaustedView } from './budget-views.ts';
import { reachedView } from './children-views.ts';

/** What an agent wants to know from people, and since when. */
export const askView = z.object({
  id: z.string(),
  tool: z.string(),
  /** The exact arguments. */
  input: z.unknown(),
  since: z.number(),
});

export const formFieldView = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'choice']),
  label: z.string(),
  options: z.array(z.string()),
  required: z.boolean(),
  /** What holds where nothing is filled in; null = nothing. */
  usual: z.unknown(),
});

const shownView = z.discriminatedUnion('kind', [
  /** The beginning of it as JSON, and how long the whole is. */
  z.object({ kind: z.literal('output'), task: z.string(), taskId: z.string(), text: z.string(), length: z.number() }),
  /** All that has been integrated; null = nothing has. */
  z.object({
    kind: z.literal('diff'),
    work: z.object({ gitDir: z.string(), base: z.string(), commit: z.string() }).nullable(),
  }),
  /** Of the run so far. A null cost is unknown; then the other is what is known of it. */
  z.object({
    kind: z.literal('cost'),
    costMicroUsd: z.number().nullable(),
    costAtLeastMicroUsd: z.number(),
    tokens: z.number(),
  }),
]);

export const questionView = z.object({
  id: z.string(),
  /**
   * `gate`: shall it go on? `failure`: what now? `crash`: may its agent go on? `agent`: what its agent wants to know. `consent`: may
   * agents of two runs write to each other?
   */
  topic: z.string(),
  state: z.enum(['open', 'approved', 'rejected', 'expired']),
  message: z.string(),
  /** What to choose from; empty where it is yes or no. */
  choices: z.array(z.string()),
  since: z.number(),
  /** When its time is over; null = never. */
  until: z.number().nullable(),
  onTimeout: z.enum(['approve', 'reject']),
  /** Who may decide; empty = anybody. */
  who: z.array(z.string()),
  form: z.array(formFieldView),
  /** Only while it is open. */
  shows: z.array(shownView),
  decision: z
    .object({
      approved: z.boolean(),
      choice: z.string().nullable(),
      by: z.string(),
      at: z.number(),
      message: z.string().nullable(),
    })
    .nullable(),
});

/** A question with where it belongs. */
export const askedView = questionView.extend({
  runId: z.string(),
  run: z.string(),
  taskId: z.string(),
  task: z.string(),
});

/** Whether agents of a run may write to those of another. It belongs to the run; the task is the one whose agent was first. */
export const consentView = questionView.extend({ taskId: z.string(), task: z.string() });

/** All that waits for a person, the oldest first. */
export const inboxView = z.object({
  asks: z.array(
    askView.extend({
      runId: z.string(),
      run: z.string(),
      taskId: z.string(),
      task: z.string(),
    }),
  ),
  questions: z.array(askedView).default([]),
  /** Budgets that are used up, each once. */
  budgets: z.array(exhaustedView.extend({ runId: z.string(), run: z.string() })).default([]),
  /** Limits that agents came up to: nobody waits for them, and nothing has to be done. */
  limits: z.array(reachedView.extend({ runId: z.string(), run: z.string() })).default([]),
});

export type AskView = z.output<typeof askView>;
export type FormFieldView = z.output<typeof formFieldView>;
export type ShownView = z.output<typeof shownView>;
export type QuestionView = z.output<typeof questionView>;
export type AskedView = z.output<typeof askedView>;
export type InboxView = z.output<typeof inboxView>;
