// What the daemon tells of artifacts: where each comes from, what is in it, and what stands behind an integrated commit.

import * as z from './answer-shape.ts';
import { evidenceView } from './evidence-views.ts';

export const artifactView = z.object({
  id: z.string(),
  kind: z.string(),
  bytes: z.number(),
  /** When the record took it up. */
  at: z.number(),
  taskId: z.string(),
  task: z.string(),
  attemptId: z.string(),
  agentId: z.string(),
  /** The artifacts that its maker was given. */
  inputs: z.array(z.string()),
  /** What the work was saved as that it came with; empty where none was kept. */
  commit: z.string(),
});

export const artifactList = z.object({ runId: z.string(), artifacts: z.array(artifactView) });

/** `text`: the file as it is, from whose bytes the id is made. */
export const artifactContent = z.object({ id: z.string(), path: z.string(), text: z.string() });

/** How an event can be verified where there is no journal: docs/provenance.md. */
export const sealEnvelope = z.object({
  /** The event, exactly as it was sealed. */
  sealed: z.string(),
  /** Its seal, as OpenSSH writes signatures. */
  signature: z.string(),
  /** By which it was made, as OpenSSH writes keys. */
  publicKey: z.string(),
});

/** The event is the one by which the record took the artifact up. */
export const artifactEnvelope = z.object({ artifact: z.string() }).extend(sealEnvelope.fields);

export const artifactExport = artifactContent.extend({ envelope: artifactEnvelope.nullable() });

const named = z.object({ id: z.string(), name: z.string() });

const maker = z.object({
  task: named,
  attemptId: z.string(),
  agentId: z.string(),
  harness: z.string(),
  model: z.string(),
  /** What a task of a matrix is for; null where it is of none. */
  item: z.unknown(),
  /** What it was asked; of an input it may be cut. */
  prompt: z.string(),
  promptCut: z.boolean(),
  /** What was stored of it. */
  artifacts: z.array(z.object({ id: z.string(), kind: z.string(), bytes: z.number() })),
});

export const lineageView = maker.extend({
  run: named,
  repo: z.string(),
  attempt: z.number(),
  role: z.string().nullable(),
  agent: z.string(),
  startedAt: z.number(),
  /** Why the attempt went on with the one before, or did not. */
  why: z.string().default(''),
  /** What its work was saved as, and the commits by which that came onto the branch of the run. */
  commit: z.string(),
  integrated: z.array(z.string()),
  /** Who let it through at which gate, and when. */
  approvals: z.array(z.string()),
  checks: z.array(evidenceView),
  /** The conflict of its earlier work, which it was given to fix. */
  conflict: z.string().nullable(),
  /** Files with all that its processes were told and printed. */
  transcripts: z.array(z.string()),
  /** What it was given, then what that was made of, each below the one that it was given to. */
  inputs: z.array(maker.extend({ depth: z.number() })),
  /** Inputs that are not listed. */
  inputsLeftOut: z.number(),
});

export type ArtifactView = z.output<typeof artifactView>;
export type ArtifactList = z.output<typeof artifactList>;
export type ArtifactContent = z.output<typeof artifactContent>;
export type SealEnvelope = z.output<typeof sealEnvelope>;
export type ArtifactEnvelope = z.output<typeof artifactEnvelope>;
export type ArtifactExport = z.output<typeof artifactExport>;
export type LineageView = z.output<typeof lineageView>;
export type InputView = LineageView['inputs'][number];
