// Decides tool calls. The call, its effect, its answer and the offset at which it was read are stored in one append, so a crash
// can neither lose a call nor carry it out twice.

import { unreachable } from '../../std/assert.ts';
import type { Attempt } from '../core/attempt.ts';
import type { RunEventBody } from '../core/events.ts';
import { isFailure } from '../core/failure.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import { ownRecord } from '../messages/own-record.ts';
import { isRemembered } from '../session/answered-calls.ts';
import type { Call } from './call.ts';
import { type Answered, type CallScene, refuse } from './call-answer.ts';
import { submitArtifact } from './call-artifact.ts';
import { readInbox, sendMessage } from './call-messages.ts';
import { claimPaths, releasePaths } from './call-paths.ts';
import { askPerson } from './call-person.ts';
import { spawnAgent } from './call-spawn.ts';
import { completePhase, getTask, listTasks, reportProgress, stopTask } from './call-tasks.ts';
import { createTeam, deleteTeam, listTeams } from './call-team.ts';
import { claimItem, teamTasks } from './call-team-list.ts';
import { waitFor } from './call-wait.ts';

export function decideCall(run: Run, attempt: Attempt, call: Call, now: number): RunEventBody[] {
  const agent = agentOf(run, attempt.agentId);
  const { callId, requestId, rpcId, request, worked } = call;
  const tool = request.tool === 'answered' ? request.name : request.tool;
  const known = agent.memory.calls.find((each) => each.callId === callId && each.tool === tool);
  const scene = { run, task: taskOf(run, attempt.taskId), attempt, agent, call, now };
  const { text, isError, events } = known === undefined ? answerTo(scene) : { ...known, events: [] };
  const asked: RunEventBody = {
    type: 'call.answered',
    attemptId: attempt.id,
    agentId: agent.id,
    callId,
    tool,
    input: call.excerpt,
    isError,
    // A read result can be read again at its source; any other answer is stored whole, to be repeated as it is.
    text: isRemembered(tool) ? text : text.slice(0, readingShown),
    ...(worked || (!isError && events.length > 0 && !talk.has(tool)) ? { worked: true } : {}),
  };
  const told = ownRecord(attempt, { kind: 'toolAnswer', requestId, rpcId, text, isError });
  return [...events, ...(known === undefined ? [asked] : []), told];
}

const readingShown = 1_000;

/** Messages, claims and progress reports do not count as other work, nor do calls that change nothing. */
const talk: ReadonlySet<string> = new Set([
  'send_message',
  'read_inbox',
  'wait',
  'report_progress',
  'claim_paths',
  'release_paths',
]);

function answerTo(scene: CallScene): Answered {
  const { request } = scene.call;
  const { stop } = scene.attempt;
  if (request.tool === 'answered') return { text: request.text, isError: request.isError, events: [] };
  if (stop !== null && isFailure(stop.reason)) return refuse(`you are being stopped (${stop.reason})`);
  if (scene.run.state !== 'running') return refuse(`the run is ${scene.run.state}`);
  switch (request.tool) {
    case 'spawn_agent':
      return spawnAgent(scene, request);
    case 'wait':
      return waitFor(scene, request);
    case 'get_task':
      return getTask(scene, request.task);
    case 'list_tasks':
      return listTasks(scene, request);
    case 'send_message':
      return sendMessage(scene, request);
    case 'read_inbox':
      return readInbox(scene, request);
    case 'stop_task':
      return stopTask(scene, request);
    case 'claim_paths':
      return claimPaths(scene, request.paths);
    case 'release_paths':
      return releasePaths(scene, request.paths);
    case 'report_progress':
      return reportProgress(scene, request);
    case 'ask_person':
      return askPerson(scene, request);
    case 'complete_phase':
      return completePhase(scene);
    case 'submit_artifact':
      return submitArtifact(scene, request);
    case 'team_create':
      return createTeam(scene, request);
    case 'team_list':
      return listTeams(scene);
    case 'team_delete':
      return deleteTeam(scene, request);
    case 'team_tasks':
      return teamTasks(scene, request);
    case 'claim_task':
      return claimItem(scene, request);
    default:
      return unreachable(request);
  }
}
