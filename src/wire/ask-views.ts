// View of an ask, whatever waits for a person: one shape for every kind, with what is shown beside it, how to answer it, and
// its answer. Clients ignore unknown keys.

import * as z from './answer-shape.ts';
import { exhaustedView } from './budget-views.ts';
import { reachedView } from './children-views.ts';

export const formFieldView = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'choice']),
  label: z.string(),
  options: z.array(z.string()),
  required: z.boolean(),
  /** The default if the field is left empty; null = none. */
  usual: z.unknown(),
});

const shownView = z.discriminatedUnion('kind', [
  /** The beginning of the output as JSON, and the length of the whole. */
  z.object({ kind: z.literal('output'), task: z.string(), taskId: z.string(), text: z.string(), length: z.number() }),
  /** All integrated work; null = none. */
  z.object({
    kind: z.literal('diff'),
    work: z.object({ gitDir: z.string(), base: z.string(), commit: z.string() }).nullable(),
  }),
  /** The run so far. A null cost is unknown; then `costAtLeastMicroUsd` is what is known of it. */
  z.object({
    kind: z.literal('cost'),
    costMicroUsd: z.number().nullable(),
    costAtLeastMicroUsd: z.number(),
    tokens: z.number(),
  }),
]);

/** A question of an agent: answered with one of its options, several if `multiple`, or other words. */
export const questionView = z.object({
  question: z.string(),
  header: z.string().nullable(),
  options: z.array(z.object({ label: z.string(), description: z.string(), preview: z.string().default('') })),
  multiple: z.boolean(),
});

/**
 * `permission`: may an agent use a tool? `question`: an agent's question. `gate`: shall the plan continue? `failure`,
 * `conflict`: what to do about it? `crash`: may the agent continue? `consent`: may agents of two runs write to each other?
 * `budget`: may more be spent?
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
  /** null: unknown for the day's budget. */
  since: z.number().nullable(),
  /** When it expires; null = never. */
  until: z.number().nullable(),
  onTimeout: z.enum(['approve', 'reject']),
  message: z.string(),
  /** The choices; empty = yes or no. */
  choices: z.array(z.string()),
  /** Questions of an agent: each is answered separately. */
  questions: z.array(questionView).default([]),
  /** The people who may answer; empty = anybody. */
  who: z.array(z.string()),
  form: z.array(formFieldView),
  /** Only while it is open. */
  shows: z.array(shownView),
  /** For a permission: the tool, and its exact arguments. */
  permission: z.object({ tool: z.string(), input: z.unknown() }).nullable(),
  /** For an exhausted budget. */
  budget: exhaustedView.nullable(),
  answer: z
    .object({
      approved: z.boolean(),
      choice: z.string().nullable(),
      words: z.string().nullable(),
      /** The answers to each of the questions. */
      answers: z.array(z.array(z.string())).default([]),
      by: z.string(),
      at: z.number(),
      message: z.string().nullable(),
    })
    .nullable(),
});

/** All open asks, the oldest first. */
export const inboxView = z.object({
  asks: z.array(askView),
  /** Limits that agents reached: for information, nothing waits for them. */
  limits: z.array(reachedView.extend({ runId: z.string(), run: z.string() })).default([]),
});

export type FormFieldView = z.output<typeof formFieldView>;
export type QuestionView = z.output<typeof questionView>;
export type ShownView = z.output<typeof shownView>;
export type AskView = z.output<typeof askView>;
export type InboxView = z.output<typeof inboxView>;
