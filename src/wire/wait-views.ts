// View of a wait: why a task does not go on, as `{ kind, until, owner, detail }`. Clients make the sentence.

import * as z from './answer-shape.ts';

/** `until`: when it ends by itself at the latest; null = unknown. `owner`: whose move it is. */
const common = {
  until: z.number().nullable(),
  owner: z.enum(['person', 'signalbox', 'service', 'agent', 'host']),
};

const restView = z.discriminatedUnion('for', [
  z.object({ for: z.literal('answer') }),
  z.object({
    for: z.literal('tasks'),
    tasks: z.array(z.string()),
    more: z.number(),
    mode: z.enum(['any', 'all']),
  }),
  z.object({ for: z.literal('notification') }),
  z.object({ for: z.literal('messages'), sent: z.boolean() }),
  z.object({ for: z.literal('work'), team: z.string() }),
]);

/** Who holds agents: those of a run, or all on the host. */
export const pauseView = z.object({ of: z.enum(['run', 'host']), by: z.string(), since: z.number() });

export const waitView = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('needs'),
    ...common,
    detail: z.object({
      tasks: z.array(z.object({ name: z.string(), milestone: z.boolean() })),
      more: z.number(),
    }),
  }),
  z.object({ kind: z.literal('decision'), ...common, detail: z.object({}) }),
  z.object({
    kind: z.literal('retry'),
    ...common,
    detail: z.object({ attempt: z.number(), reason: z.string().nullable() }),
  }),
  /** `path` is null if earlier tasks wait for the same paths. */
  z.object({
    kind: z.literal('paths'),
    ...common,
    detail: z.object({ path: z.string().nullable(), holder: z.string().nullable() }),
  }),
  z.object({
    kind: z.literal('budget'),
    ...common,
    detail: z.object({
      of: z.enum(['run', 'task', 'tree', 'day', 'reserved']),
      task: z.string().nullable(),
      what: z.string().nullable(),
      spent: z.number().nullable(),
      limit: z.number().nullable(),
      words: z.string(),
    }),
  }),
  z.object({
    kind: z.literal('service'),
    ...common,
    detail: z.object({ limit: z.enum(['rate', 'quota', 'unavailable']), harness: z.string(), probed: z.boolean() }),
  }),
  z.object({
    kind: z.literal('slot'),
    ...common,
    detail: z.object({
      of: z.enum(['host', 'run']),
      harness: z.string().nullable(),
      all: z.number(),
      after: z.enum(['start', 'rest', 'answer']),
    }),
  }),
  z.object({
    kind: z.literal('pause'),
    ...common,
    detail: pauseView,
  }),
  z.object({
    kind: z.literal('interrupt'),
    ...common,
    detail: z.object({ by: z.string(), since: z.number() }),
  }),
  z.object({ kind: z.literal('machine'), ...common, detail: z.object({ lack: z.string() }) }),
  z.object({ kind: z.literal('start'), ...common, detail: z.object({ resumes: z.boolean() }) }),
  /** `tool`: the tool that a permission is asked for; otherwise `line` is the first line of the question. */
  z.object({
    kind: z.literal('ask'),
    ...common,
    detail: z.object({
      askId: z.string(),
      ask: z.string(),
      tool: z.string().nullable(),
      line: z.string(),
      since: z.number(),
    }),
  }),
  z.object({ kind: z.literal('members'), ...common, detail: z.object({ ended: z.number(), all: z.number() }) }),
  z.object({ kind: z.literal('rest'), ...common, detail: restView }),
  z.object({
    kind: z.literal('failing'),
    ...common,
    detail: z.object({ effect: z.string(), times: z.number(), message: z.string() }),
  }),
]);

export type WaitView = z.output<typeof waitView>;
