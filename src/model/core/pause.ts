// A person pauses agents: those of one run, or all on this host. Nothing new starts; running agents end at their next tool
// round.

import type { Run } from './run.ts';

export interface Pause {
  readonly by: string;
  readonly at: number;
}

/** `host`: all runs are paused, this one with them. */
export type PauseScope = 'run' | 'host';

export type Pauses = Record<PauseScope, Pause | null>;

export type PauseEvent =
  /** `since`: when all were paused, if that was before this run existed. */
  | { readonly type: 'run.paused'; readonly of: PauseScope; readonly by: string; readonly since?: number }
  | { readonly type: 'run.unpaused'; readonly of: PauseScope; readonly by: string };

/** null = it is not paused. */
export function pauseOf({ pauses: { run, host } }: Pick<Run, 'pauses'>): (Pause & { readonly of: PauseScope }) | null {
  if (host !== null) return { of: 'host', ...host };
  return run === null ? null : { of: 'run', ...run };
}

export function pauseWords({ of, by }: { readonly of: PauseScope; readonly by: string }): string {
  return of === 'host' ? `${by} paused all agents` : `${by} paused the run`;
}
