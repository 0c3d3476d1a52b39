// What the agents under way are doing: kept in memory only, as long as somebody follows the launch. Progress is for people.
// What is in flight is asked of whoever follows: it knows by the codec's state, which a restart finds in the record.

import type { LaunchId } from '../../model/core/ids.ts';
import { foldProgress, noProgress, type Progress } from '../../model/session/agent-activity.ts';
import type { AgentEvent } from '../../model/session/agent-fact.ts';

export interface News {
  tell(launchId: LaunchId, event: AgentEvent): void;
  /** From now on this tells what the launch has begun and not ended. */
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
