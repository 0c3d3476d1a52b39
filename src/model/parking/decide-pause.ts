// Orders that pause and unpause a run. What follows for its agents is decided as for an exhausted budget.

import { type Command, type Decision, decided, refused } from '../core/command.ts';
import type { Run } from '../core/run.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decidePause(run: Run, command: Of<'pauseRun' | 'unpauseRun'>): Decision {
  return command.type === 'pauseRun' ? pause(run, command) : unpause(run, command);
}

function pause(run: Run, { of, by, since }: Of<'pauseRun'>): Decision {
  if (run.state === 'ended') return refused('notAllowed', 'the run has already ended');
  const before = run.pauses[of];
  if (before !== null) return refused('stale', `${before.by} has paused it already`);
  return decided([{ type: 'run.paused', of, by, ...(since === undefined ? {} : { since }) }]);
}

function unpause(run: Run, { of, by }: Of<'unpauseRun'>): Decision {
  if (run.pauses[of] !== null) return decided([{ type: 'run.unpaused', of, by }]);
  const { host } = run.pauses;
  if (host !== null)
    return refused('notAllowed', `${host.by} has paused all agents, not this run alone: signalbox unpause`);
  return refused('notAllowed', 'the run is not paused');
}
