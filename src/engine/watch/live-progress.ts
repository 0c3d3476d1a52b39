// What running agents are doing, kept in memory only while their launch is followed. Progress is for people. Which tool
// calls are open is asked of the follower, which knows it from the codec's state.

import type { LaunchId } from '../../model/core/ids.ts';
import { foldProgress, noProgress, type Progress } from '../../model/session/agent-activity.ts';
import type { AgentEvent } from '../../model/session/agent-fact.ts';

export interface News {
  tell(launchId: LaunchId, event: AgentEvent): void;
  /** Registers how to list the open tool calls of a launch. */
  follow(launchId: LaunchId, inFlight: () => readonly string[]): void;
  forget(launchId: LaunchId): void;
  of(launchId: LaunchId): Progress | null;
  inFlight(launchId: LaunchId): readonly string[];
}

export function createNews(): News {
  const all = new Map<LaunchId, Progress>();
  const followed = new Map<LaunchId, () => readonly string[]>();
  return {
    tell(launchId, event) {
      let progress = all.get(launchId);
      if (progress === undefined) all.set(launchId, (progress = noProgress()));
      foldProgress(progress, event);
    },
    follow(launchId, inFlight) {
      followed.set(launchId, inFlight);
    },
    forget(launchId) {
      all.delete(launchId);
      followed.delete(launchId);
    },
    of: (launchId) => all.get(launchId) ?? null,
    inFlight: (launchId) => followed.get(launchId)?.() ?? [],
  };
}
