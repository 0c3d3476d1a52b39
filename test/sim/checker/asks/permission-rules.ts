// Rules on permissions: only requests of an agent are decided, only by a person, once, and the agent gets exactly that answer.

import type { AttemptView, PermissionView } from '../view/attempt-view.ts';
import type { Data } from '../view/event-data.ts';
import { blame, outOfPlace, type View } from '../view/view.ts';

export function permissionEvent(view: View, attempt: AttemptView, type: string, data: Data): void {
  const id = data.askId ?? 'undefined';
  if (type === 'ask.opened') return openPermission(view, attempt, id, data.request?.requestId);
  const permission = view.permissions.get(id);
  if (permission?.state !== 'open')
    return blame(view, 7, `${type} of ${id}, which is ${permission?.state ?? 'not there'}`);
  if (type === 'ask.expired') {
    permission.state = 'expired';
    return;
  }
  if (attempt.stop !== null) blame(view, 7, `${id} is decided while its agent is being stopped`);
  if (view.permissionAnswers.get(id)?.includes(data.approved === true) !== true) {
    blame(view, 7, `${id} is recorded as ${data.approved ? 'approved' : 'rejected'}, and no person said so`);
  }
  permission.state = data.approved === true ? 'approved' : 'rejected';
}

function openPermission(view: View, attempt: AttemptView, id: string, requestId: string | undefined): void {
  if (attempt.state !== 'running' || attempt.launch === null) return outOfPlace(view, attempt, 'ask.opened');
  if (view.permissions.has(id)) blame(view, 7, `${id} is opened twice`);
  attempt.heard.asked.push(requestId ?? 'undefined');
  const { id: launchId } = attempt.launch;
  view.permissions.set(id, { id, attempt, launchId, requestId, state: 'open', answers: 0, heard: false });
}

export function answerQueued(view: View, attempt: AttemptView, id: string | undefined): void {
  const permission = id === undefined ? undefined : view.permissions.get(id);
  if (permission === undefined || permission.attempt !== attempt || !isDecided(permission)) {
    return blame(view, 7, `an answer to ${id} is queued, which nobody decided`);
  }
  permission.answers += 1;
  if (permission.answers > 1) blame(view, 7, `${id} is answered twice`);
}

/** The process that asked is gone: its requests must not stay open. */
export function checkNoneOpen(view: View, attempt: AttemptView): void {
  for (const permission of view.permissions.values()) {
    if (permission.attempt === attempt && permission.state === 'open') {
      blame(view, 8, `${permission.id} is open, and nobody waits for its answer`);
    }
  }
}

/** What reaches an agent is what was durably decided, or what a remembered decision says. */
export function receivedAnswer(view: View, launchId: string, response: unknown): void {
  const { request_id: requestId, response: said } = response as {
    request_id?: string;
    response?: { behavior?: string; continue?: boolean; mcp_response?: McpResponse };
  };
  const { records } = view.launches.get(launchId)?.attempt ?? { records: [] };
  const round = records.find((message) => message.round?.requestId === requestId)?.round ?? null;
  if (round !== null) {
    if (round.goOn !== (said?.continue !== false)) blame(view, 7, `${launchId} heard the contrary of what was decided`);
    return;
  }
  if (said?.mcp_response !== undefined) return receivedCallAnswer(view, launchId, requestId, said.mcp_response);
  const allowed = said?.behavior === 'allow';
  const permission = permissionFor(view, launchId, requestId);
  if (permission !== undefined) {
    if (!isDecided(permission))
      return blame(view, 7, `${launchId} received an answer to ${permission.id}, which is ${permission.state}`);
    const { id, stop, pause } = permission.attempt;
    if (pause.parked !== null && stop === null)
      blame(view, 7, `${id} hears the answer to ${permission.id} without a slot`);
    permission.heard = true;
    if ((permission.state === 'approved') !== allowed)
      blame(view, 7, `${launchId} heard the contrary of what was decided`);
    return;
  }
  const earlier = [...view.permissions.values()].some(
    ({ attempt, state }) => attempt.task.run === view.launches.get(launchId)?.attempt.task.run && isDecidedState(state),
  );
  if (!earlier) blame(view, 7, `${launchId} received an answer to ${requestId}, which nobody decided`);
}

interface McpResponse {
  readonly id?: unknown;
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
}

/** Its request is answered once, and as the journal says. */
function receivedCallAnswer(view: View, launchId: string, requestId = '', { id, result }: McpResponse): void {
  const calls = view.processes.get(launchId)?.calls;
  const call = calls?.get(requestId);
  if (call === undefined) return;
  calls?.delete(requestId);
  const { records } = view.launches.get(launchId)?.attempt ?? { records: [] };
  const right = records.find(({ answer }) => answer?.requestId === requestId)?.answer ?? null;
  if (right === null || right.text !== result?.content?.[0]?.text || right.rpcId !== id)
    blame(view, 5, `${launchId} is answered to ${requestId} what is not in the record`);
}

export function acted(view: View, launchId: string, requestId: string): void {
  const permission = permissionFor(view, launchId, requestId);
  if (permission !== undefined && permission.state !== 'approved') {
    blame(view, 7, `${launchId} did what it had asked for, and ${permission.id} is ${permission.state}`);
  }
}

function permissionFor(view: View, launchId: string, requestId: string | undefined): PermissionView | undefined {
  return [...view.permissions.values()].find(
    (permission) => permission.launchId === launchId && permission.requestId === requestId,
  );
}

function isDecided(permission: PermissionView): boolean {
  return isDecidedState(permission.state);
}

function isDecidedState(state: PermissionView['state']): boolean {
  return state === 'approved' || state === 'rejected';
}
