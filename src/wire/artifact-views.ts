// Views of artifacts, their content and seals, and the lineage of an integrated commit.

import * as z from './answer-shape.ts';
import { evidenceView } from './evidence-views.ts';

export const artifactView = z.object({
  id: z.string(),
  kind: z.string(),
  bytes: z.number(),
  /** When it was journalled. */
  at: z.number(),
  taskId: z.string(),
  task: z.string(),
  attemptId: z.string(),
  agentId: z.string(),
  /** The input artifacts of its task. */
  inputs: z.array(z.string()),
  /** The saved commit of the same attempt; empty = none. */
  commit: z.string(),
});

export const artifactList = z.object({ runId: z.string(), artifacts: z.array(artifactView) });

/** `text`: the file itself; the id is its hash. */
export const artifactContent = z.object({ id: z.string(), path: z.string(), text: z.string() });

/** How to verify an event without the journal: docs/provenance.md. */
export const sealEnvelope = z.object({
  /** The event exactly as sealed. */
  sealed: z.string(),
  /** Its seal in OpenSSH signature format. */
  signature: z.string(),
  /** The public key in OpenSSH format. */
  publicKey: z.string(),
});

/** With the event that journalled the artifact. */
export const artifactEnvelope = z.object({ artifact: z.string() }).extend(sealEnvelope.fields);

export const artifactExport = artifactContent.extend({ envelope: artifactEnvelope.nullable() });

const named = z.object({ id: z.string(), name: z.string() });

const maker = z.object({
  task: named,
  attemptId: z.string(),
  agentId: z.string(),
  harness: z.string(),
  model: z.string(),
  /** The item of a matrix task; null = not of a matrix. */
  item: z.unknown(),
  /** Its prompt; of an input it may be cut. */
  prompt: z.string(),
  promptCut: z.boolean(),
  /** Its stored artifacts. */
  artifacts: z.array(z.object({ id: z.string(), kind: z.string(), bytes: z.number() })),
});

export const lineageView = maker.extend({
  run: named,
  repo: z.string(),
  attempt: z.number(),
  role: z.string().nullable(),
  agent: z.string(),
  startedAt: z.number(),
  /** Why the attempt continued the one before, or did not. */
  why: z.string().default(''),
  /** Its saved commit, and the commits that integrated it. */
  commit: z.string(),
  integrated: z.array(z.string()),
  /** The landings of its run: all commits between. */
  landings: z.array(z.object({ branch: z.string(), from: z.string().nullable(), commit: z.string() })).default([]),
  /** Who approved it at which gate, and when. */
  approvals: z.array(z.string()),
  checks: z.array(evidenceView),
  /** The conflict of its earlier work, which it was given to fix. */
  conflict: z.string().nullable(),
  /** Transcript files of its launches. */
  transcripts: z.array(z.string()),
  /** Its inputs, and recursively their inputs. */
  inputs: z.array(maker.extend({ depth: z.number() })),
  /** How many inputs are not listed. */
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
