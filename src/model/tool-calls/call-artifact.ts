// `submit_artifact`: the artifact is already on disk; here it is recorded and, if the task's output is of that kind, becomes
// the task's output.

import { stampEvents } from '../attempt/artifact.ts';
import type { RunEventBody } from '../core/events.ts';
import { handoffOf, isComplete } from '../session/handoff.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene } from './call-answer.ts';

type Submit = Extract<CallRequest, { tool: 'submit_artifact' }>;

export function submitArtifact({ run, task, attempt }: CallScene, { stored, value }: Submit): Answered {
  const { artifactId, kind, bytes } = stored;
  const events: RunEventBody[] = stampEvents(run, attempt, attempt.workspace.commit, [stored]);
  const isOutput = task.spec.output !== null && (kind === 'output' || kind === task.spec.outputKind);
  if (isOutput) events.push({ type: 'output.given', attemptId: attempt.id, value, problems: [] });
  if (kind === 'handoff') {
    const handoff = handoffOf(value);
    events.push({ type: 'handoff.given', attemptId: attempt.id, agentId: attempt.agentId, artifactId, handoff });
    const next = isComplete(handoff) ? 'Nothing is left, by it: end your turn.' : restartWords;
    return answer(`Stored as ${artifactId}. ${next}`, ...events);
  }
  const what = isOutput
    ? 'It is the output of your task.'
    : 'Pass its id to agents that need it: read_output {"artifact": …} gives it.';
  return answer(`Stored as ${artifactId} (${kind}, ${bytes} bytes). ${what}`, ...events);
}

const restartWords = 'End your turn now: you are started afresh in this workspace, and are told what you handed over.';
