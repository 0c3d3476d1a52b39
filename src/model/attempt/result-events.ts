// Events of an attempt's result: its typed output, its stored artifacts, and the integration of its work into the run's branch.

import type { EvidenceItem } from '../core/events.ts';
import type { ArtifactId, AttemptId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { ArtifactStamp } from './artifact.ts';

export type ResultEvent =
  /** The agent gave its output. A value with problems is not kept here: it is in the transcript. */
  | {
      readonly type: 'output.given';
      readonly attemptId: AttemptId;
      readonly value: Json;
      readonly problems: readonly string[];
    }
  /** The agent was told what is wrong with its output, and gives it again. */
  | { readonly type: 'output.refused'; readonly attemptId: AttemptId }
  /** The artifact is on disk, under this id. */
  | ({ readonly type: 'artifact.stored' } & ArtifactStamp)
  /** The work is verified and waits to be integrated; the order of these events is the order of integration. */
  | { readonly type: 'integration.queued'; readonly attemptId: AttemptId }
  /** A resolver had to merge earlier work with what was integrated, and changed nothing. */
  | { readonly type: 'integration.dropped'; readonly attemptId: AttemptId }
  /**
   * The branch is at `head`, which holds the work. `items`: evidence about the merged tree with everything that was integrated
   * together.
   */
  | {
      readonly type: 'integration.succeeded';
      readonly attemptId: AttemptId;
      readonly head: string;
      readonly tree?: string;
      readonly items?: readonly EvidenceItem[];
      /** Other runs that change the same lines as the branch does now; left out = none was found. */
      readonly overlaps?: readonly { runId: string; name: string; paths: readonly string[]; pathsTotal: number }[];
    }
  /** The branch stays where it is, and the work stays at its ref. `with`: the tasks whose integrated work it conflicts with. */
  | {
      readonly type: 'integration.conflicted';
      readonly attemptId: AttemptId;
      readonly paths: readonly string[];
      readonly pathsTotal?: number;
      readonly with?: readonly AttemptId[];
      /** The whole conflict, as the agent that fixes it gets it. */
      readonly artifact?: ArtifactId;
    }
  /**
   * The work merges, but a check of the branch fails then. `with`: the tasks together with whose work it fails; null = it fails
   * alone.
   */
  | {
      readonly type: 'integration.failed';
      readonly attemptId: AttemptId;
      readonly items: readonly EvidenceItem[];
      readonly with: AttemptId | null;
      readonly artifact?: ArtifactId;
    };
