// What can happen to the result of an attempt: its typed output, the artifacts that were stored of it,
// and the integration of its work on the run's branch.

import type { EvidenceItem } from '../core/events.ts';
import type { ArtifactId, AttemptId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { ArtifactStamp } from './artifact.ts';

export type ResultEvent =
  /** What the agent gave as its output. Of one with problems the value is not kept here: it is in the transcript. */
  | {
      readonly type: 'output.given';
      readonly attemptId: AttemptId;
      readonly value: Json;
      readonly problems: readonly string[];
    }
  /** The agent was told what is wrong with its output, and gives it again. */
  | { readonly type: 'output.refused'; readonly attemptId: AttemptId }
  /** It is on disk for good, under this id. */
  | ({ readonly type: 'artifact.stored' } & ArtifactStamp)
  /** Its work is good and goes onto the run's branch, in the order of these. */
  | { readonly type: 'integration.queued'; readonly attemptId: AttemptId }
  /** It was to bring earlier work together with what had been integrated, and brought nothing. */
  | { readonly type: 'integration.dropped'; readonly attemptId: AttemptId }
  /** The branch is at `head`, which holds the work. What was proved of the tree that it came to with all that was integrated together. */
  | {
      readonly type: 'integration.succeeded';
      readonly attemptId: AttemptId;
      readonly head: string;
      readonly tree?: string;
      readonly items?: readonly EvidenceItem[];
    }
  /** The branch stays where it is, and the work at its ref. `with`: whose integrated work it does not fit. */
  | {
      readonly type: 'integration.conflicted';
      readonly attemptId: AttemptId;
      readonly paths: readonly string[];
      readonly pathsTotal?: number;
      readonly with?: readonly AttemptId[];
      /** All of it, as the agent that fixes it gets it. */
      readonly artifact?: ArtifactId;
    }
  /** The same, though it could be merged: a check of the branch fails then. `with`: together with whose work; null = with nobody's. */
  | {
      readonly type: 'integration.failed';
      readonly attemptId: AttemptId;
      readonly items: readonly EvidenceItem[];
      readonly with: AttemptId | null;
      readonly artifact?: ArtifactId;
    };
