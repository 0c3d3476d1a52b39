// Whatever waits for a person, as the daemon tells it: one shape for every kind, with what is shown beside it, how it may be answered
// and what became of it. A client ignores keys it does not know.

import * as z from './answer-shape.ts';
import { exhaustedView } from './budget-views.ts';
import { reachedView } from './children-views.ts';

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

/** What an agent wants to know: one of its options, several where `multiple`, or other words. */
export const questionView = z.object({
  question: z.string(),
  header: z.string().nullable(),
  options: z.array(z.object({ label: z.string(), description: z.string(), preview: z.string().default('') })),
  multiple: z.boolean(),
});

/**
 * `permission`: may an agent use a tool? `question`: what an agent wants to know. `gate`: shall the plan go on? `failure`, `conflict`:
 * what follows it? `crash`: may the agent go on? `consent`: may agents of two runs write to each other? `budget`: is there more to
 * spend?
 */
const askKinds = ['permission', 'question', 'gate', 'failure', 'conflict', 'crash', 'consent', 'budget'] as const;

export const askView = z.object({
  id: z.string(),
  kind: z.enum(askKinds),
  state: z.enum(['open', 'approved', 'rejected', 'expired']),
  runId: z.string(),
  run: z.string(),
  /** The task that it is about, or whose agent asks; null = it is about the whole run, or the day. */
  taskId: z.string().nullable(),
  task: z.string().nullable(),
  /** null: of the budget of the day nobody knows. */
  since: z.number().nullable(),
  /** When its time is over; null = never. */
  until: z.number().nullable(),
  onTimeout: z.enum(['approve', 'reject']),
  message: z.string(),
  /** What to choose from; empty where it is yes or no. */
  choices: z.array(z.string()),
  /** Of a question: each is answered by itself. */
  questions: z.array(questionView).default([]),
  /** Who may answer; empty = anybody. */
  who: z.array(z.string()),
  form: z.array(formFieldView),
  /** Only while it is open. */
  shows: z.array(shownView),
  /** Of a permission: the tool, and its exact arguments. */
  permission: z.object({ tool: z.string(), input: z.unknown() }).nullable(),
  /** Of an exhausted budget. */
  budget: exhaustedView.nullable(),
  answer: z
    .object({
      approved: z.boolean(),
      choice: z.string().nullable(),
      words: z.string().nullable(),
      /** To each of the questions. */
      answers: z.array(z.array(z.string())).default([]),
      by: z.string(),
      at: z.number(),
      message: z.string().nullable(),
    })
    .nullable(),
});

/** All that waits for a person, the oldest first. */
export const inboxView = z.object({
  asks: z.array(askView),
  /** Limits that agents came up to: nobody waits for them, and nothing has to be done. */
  limits: z.array(reachedView.extend({ runId: z.string(), run: z.string() })).default([]),
});

export type FormFieldView = z.output<typeof formFieldView>;
export type QuestionView = z.output<typeof questionView>;
export type ShownView = z.output<typeof shownView>;
export type AskView = z.output<typeof askView>;
export type InboxView = z.output<typeof inboxView>;
