// What really happened in the simulated world, written by the world itself. The checker compares it with the
// journal; the engine never sees it.

export type WorldEntry = {
  readonly t: number;
} /** An engine came up or was killed. Several may be up at once (a zombie beside its successor). */ & (
  | { readonly kind: 'engineUp' | 'engineKilled'; readonly engine: number }
  /** All processes vanished without an exit status, as at a power cut. */
  | { readonly kind: 'hostGone' }
  /** Faults end here: from now on the world is well-behaved and all work must come to its end. */
  | { readonly kind: 'healed' }
  /** A process came into being. At most once per launch id, ever. */
  | { readonly kind: 'spawned'; readonly launchId: string; readonly attemptId: string }
  /** Its exit status is on disk. */
  | { readonly kind: 'exited'; readonly launchId: string; readonly status: number; readonly cause: ExitCause }
  /** It vanished and left no status. */
  | { readonly kind: 'vanished'; readonly launchId: string }
  | { readonly kind: 'signalled'; readonly launchId: string; readonly rung: 'term' | 'kill' }
  /** One whole line of output; `end` is the byte offset after it. */
  | { readonly kind: 'printed'; readonly launchId: string; readonly line: string; readonly end: number }
  /** The agent read one whole input record. */
  | { readonly kind: 'received'; readonly launchId: string; readonly record: string }
  /** `base`: the commit that it was made from. */
  | { readonly kind: 'workspaceMade'; readonly attemptId: string; readonly base: string }
  /** An engine ordered the integration of these, as far as they are still wanted. */
  | {
      readonly kind: 'integrateOrdered';
      readonly engine: number;
      readonly runId: string;
      readonly head: string;
      readonly works: readonly { readonly attemptId: string; readonly wanted: boolean }[];
    }
  /** A run's branch was moved, at once for all of them; `to`: where it has each of them. */
  | {
      readonly kind: 'branchMoved';
      readonly runId: string;
      readonly from: string;
      readonly to: string;
      readonly works: readonly { readonly attemptId: string; readonly commit: string; readonly to: string }[];
    }
  /** A command was run on what a branch was to be. */
  | {
      readonly kind: 'treeChecked';
      readonly runId: string;
      readonly commit: string;
      readonly command: string;
      readonly passed: boolean;
    }
  /** An attempt's commit was merged with a head of its run's branch, and these commands fail then. */
  | {
      readonly kind: 'checkConflictFound';
      readonly runId: string;
      readonly attemptId: string;
      readonly head: string;
      readonly commit: string;
      readonly commands: readonly string[];
      /** Whose work is on that head beside what the branch has. */
      readonly on: readonly string[];
      readonly with: string | null;
    }
  /** An attempt's commit was tried on a head of its run's branch and conflicted. */
  | {
      readonly kind: 'conflictFound';
      readonly runId: string;
      readonly attemptId: string;
      readonly head: string;
      readonly commit: string;
    }
  /** A branch of the user's was moved by the landing of a run, or by others. */
  | {
      readonly kind: 'targetMoved';
      readonly runId: string;
      readonly n: number;
      readonly branch: string;
      readonly from: string;
      readonly to: string;
      readonly head: string;
    }
  | { readonly kind: 'targetMovedByOthers'; readonly branch: string; readonly to: string }
  /** The checks were run on a commit that such a branch may be moved to. */
  | { readonly kind: 'targetChecked'; readonly runId: string; readonly commit: string; readonly passed: boolean }
  /** An artifact is on disk for good. */
  | { readonly kind: 'artifactStored'; readonly artifactId: string; readonly of: string; readonly value: unknown }
  /** `uncommitted`: how many paths the agent had left so. */
  | {
      readonly kind: 'refSet';
      readonly attemptId: string;
      readonly ref: string;
      readonly commit: string;
      readonly uncommitted?: number;
    }
  /** A check was run on a commit. */
  | {
      readonly kind: 'checked';
      readonly attemptId: string;
      readonly commit: string;
      readonly check: string;
      readonly passed: boolean;
    }
  /** The model answered a request of the agent's. */
  | ({ readonly kind: 'requested'; readonly launchId: string } & RequestUse)
  /** What a request used is in the session's own record. */
  | ({ readonly kind: 'kept'; readonly launchId: string } & RequestUse)
  /** The service refused a request. */
  | { readonly kind: 'refused'; readonly launchId: string; readonly line: string }
  /** The agent was told not to continue, and does. */
  | { readonly kind: 'ignored'; readonly launchId: string }
  /** The agent did what a person had let it do. */
  /** A person was notified. */
  | { readonly kind: 'notified'; readonly key: string }
  | { readonly kind: 'acted'; readonly launchId: string; readonly requestId: string }
  /** A person is about to give this answer. */
  | {
      readonly kind: 'answering';
      readonly askId: string;
      readonly approved: boolean;
      /** Of a question about a task. */
      readonly by?: string;
      readonly choice?: string | null;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  /** A person's order, and what the engine answered (only what was answered can be counted on). */
  | { readonly kind: 'ordered'; readonly order: string; readonly answer: 'accepted' | 'refused' | 'failed' }
);

/** Why a process ended: of itself, asked by word, or by a signal of the engine's. Nothing else may end one. */
export type ExitCause = 'itself' | 'word' | 'term' | 'kill';

export interface RequestUse {
  readonly input: number;
  readonly output: number;
  /** From and into a cache. */
  readonly read: number;
  readonly written: number;
  readonly costMicroUsd: number | null;
}
