// What the agents under way are doing, for people: kept in memory only, as long as somebody follows the launch.

import type { AgentEvent } from '../model/agent-fact.ts';
import type { LaunchId } from '../model/ids.ts';
import { foldProgress, noProgress, type Progress } from '../model/progress.ts';

export interface News {
  tell(launchId: LaunchId, event: AgentEvent): void;
  forget(launchId: LaunchId): void;
  of(launchId: LaunchId): Progress | null;
}

export function createNews(): News {
  const all = new Map<LaunchId, Progress>();
  return {
    tell(launchId, event) {
      let progress = all.get(launchId);
      if (progress === undefined) all.set(launchId, (progress = noProgress()));
      foldProgress(progress, event);
    },
    forget(launchId) {
      all.delete(launchId);
    },
    of: (launchId) => all.get(launchId) ?? null,
  };
}
