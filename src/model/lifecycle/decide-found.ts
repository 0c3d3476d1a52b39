// Decisions on the records that an agent's session already holds, looked up before its next process starts.

import { beginAnew, interrupted } from '../attempt/relaunch.ts';
import { type Command, type Decision, decided, stale } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import { agentOf, presentLaunch } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { isInput } from '../messages/record-queue.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideFound(run: Run, command: Of<'found'>): Decision {
  const found = presentLaunch(run, command.launchId);
  if (found?.launch.state !== 'intended') return stale(command.launchId);
  const { attempt } = found;
  const agent = agentOf(run, attempt.agentId);
  if (command.missing) return decided(agent.session === null ? [] : beginAnew(attempt, agent));
  const known = agent.mailbox.records.filter((message) => isInput(message) && command.recordIds.includes(message.id));
  const events: RunEventBody[] = known.map(({ id }) => ({ type: 'record.found', recordId: id, agentId: agent.id }));
  // A resumed agent without anything to read would only wait.
  if (known.length > 0 && known.length === agent.mailbox.records.filter(isInput).length)
    events.push(interrupted(attempt, agent));
  return decided(events);
}
