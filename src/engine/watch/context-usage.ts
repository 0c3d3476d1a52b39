// How full an agent's context window is, by its own output. It is journalled when it passes the task's threshold and at
// the end of a turn; in between it is shown to people only.

import type { Attempt } from '../../model/core/attempt.ts';
import { agentOf, taskOf } from '../../model/core/lookup.ts';
import type { Run } from '../../model/core/run.ts';
import { contextOf } from '../../model/lifecycle/handing-over.ts';
import type { AgentEvent, AgentFact } from '../../model/session/agent-fact.ts';
import type { Harness } from '../../ports/harness.ts';

/** The facts that an event implies, to be journalled before it. */
export type Filling = (event: AgentEvent) => readonly AgentFact[];

export function followFilling(run: Run, attempt: Attempt, harness: Harness): Filling {
  const { percent } = contextOf(run, attempt);
  const { settings } = taskOf(run, attempt.taskId).spec;
  const compacts = harness.capabilities.includes('compact') ? { compacts: true as const } : {};
  // A launch that resumes a session reports its window only at the end of a turn.
  const known = agentOf(run, attempt.agentId).memory.context?.window ?? null;
  let window = known ?? harness.window?.(attempt.parking.model ?? settings['model']) ?? null;
  let tokens: number | null = null;
  let isTold = false;
  const fact = (filled: number): AgentFact => ({ kind: 'filled', tokens: filled, window, ...compacts });
  const crossed = (): readonly AgentFact[] => {
    if (isTold || tokens === null || window === null || tokens * 100 < window * percent) return [];
    isTold = true;
    return [fact(tokens)];
  };
  return (event) => {
    switch (event.kind) {
      case 'context':
        tokens = event.tokens;
        return crossed();
      case 'window':
        window = event.tokens;
        // Else with the turn's result: an agent that has just finished is in no trouble.
        return event.inTurn === true ? crossed() : [];
      case 'compaction':
        tokens = event.tokensAfter;
        isTold = false;
        return [];
      case 'turnEnded':
        return tokens === null ? [] : [fact(tokens)];
      default:
        return [];
    }
  };
}
