// Rules on permissions: only what an agent asked is decided, only a person decides, once, and the agent hears exactly that.

import type { Data } from '../view/event-data.ts';
import { type AttemptView, blame, type GateView, outOfPlace, type Scene } from '../view/view.ts';

export function gateEvent(scene: Scene, attempt: AttemptView, type: string, data: Data): void {
  const id = data.askId ?? 'undefined';
  if (type === 'ask.opened') return openGate(scene, attempt, id, data.request?.requestId);
  const gate = scene.gates.get(id);
  if (gate?.state !== 'open') return blame(scene, 7, `${type} of ${id}, which is ${gate?.state ?? 'not there'}`);
  if (type === 'ask.expired') {
    gate.state = 'expired';
    return;
  }
  if (attempt.stop !== null) blame(scene, 7, `${id} is decided while its agent is being stopped`);
  if (scene.answered.get(id)?.includes(data.approved === true) !== true) {
    blame(scene, 7, `${id} is recorded as ${data.approved ? 'approved' : 'rejected'}, and no person said so`);
  }
  gate.state = data.approved === true ? 'approved' : 'rejected';
}

function openGate(scene: Scene, attempt: AttemptView, id: string, requestId: string | undefined): void {
  if (attempt.state !== 'running' || attempt.launch === null) return outOfPlace(scene, attempt, 'ask.opened');
  if (scene.gates.has(id)) blame(scene, 7, `${id} is opened twice`);
  attempt.heard.asked.push(requestId ?? 'undefined');
  const { id: launchId } = attempt.launch;
  scene.gates.set(id, { id, attempt, launchId, requestId, state: 'open', answers: 0, heard: false });
}

export function answerQueued(scene: Scene, attempt: AttemptView, id: string | undefined): void {
  const gate = id === undefined ? undefined : scene.gates.get(id);
  if (gate === undefined || gate.attempt !== attempt || !isDecided(gate)) {
    return blame(scene, 7, `an answer to ${id} is queued, which nobody decided`);
  }
  gate.answers += 1;
  if (gate.answers > 1) blame(scene, 7, `${id} is answered twice`);
}

/** The process that asked is gone: nobody waits any more. */
export function checkNoneOpen(scene: Scene, attempt: AttemptView): void {
  for (const gate of scene.gates.values()) {
    if (gate.attempt === attempt && gate.state === 'open') {
      blame(scene, 8, `${gate.id} is open, and nobody waits for its answer`);
    }
  }
}

/** What reaches an agent is what was durably decided, or what a remembered decision says. */
export function receivedAnswer(scene: Scene, launchId: string, response: unknown): void {
  const { request_id: requestId, response: said } = response as {
    request_id?: string;
    response?: { behavior?: string; continue?: boolean; mcp_response?: McpResponse };
  };
  const { records } = scene.launches.get(launchId)?.attempt ?? { records: [] };
  const round = records.find((message) => message.round?.requestId === requestId)?.round ?? null;
  if (round !== null) {
    if (round.goOn !== (said?.continue !== false))
      blame(scene, 7, `${launchId} heard the contrary of what was decided`);
    return;
  }
  if (said?.mcp_response !== undefined) return receivedCallAnswer(scene, launchId, requestId, said.mcp_response);
  const allowed = said?.behavior === 'allow';
  const gate = gateFor(scene, launchId, requestId);
  if (gate !== undefined) {
    if (!isDecided(gate))
      return blame(scene, 7, `${launchId} received an answer to ${gate.id}, which is ${gate.state}`);
    const { id, stop, pause } = gate.attempt;
    if (pause.parked !== null && stop === null) blame(scene, 7, `${id} hears the answer to ${gate.id} without a slot`);
    gate.heard = true;
    if ((gate.state === 'approved') !== allowed) blame(scene, 7, `${launchId} heard the contrary of what was decided`);
    return;
  }
  const earlier = [...scene.gates.values()].some(
    ({ attempt, state }) =>
      attempt.task.run === scene.launches.get(launchId)?.attempt.task.run && isDecidedState(state),
  );
  if (!earlier) blame(scene, 7, `${launchId} received an answer to ${requestId}, which nobody decided`);
}

interface McpResponse {
  readonly id?: unknown;
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
}

/** What it asked for is answered once, and as the record says. */
function receivedCallAnswer(scene: Scene, launchId: string, requestId = '', { id, result }: McpResponse): void {
  const calls = scene.processes.get(launchId)?.calls;
  const call = calls?.get(requestId);
  if (call === undefined) return;
  calls?.delete(requestId);
  const { records } = scene.launches.get(launchId)?.attempt ?? { records: [] };
  const right = records.find(({ answer }) => answer?.requestId === requestId)?.answer ?? null;
  if (right === null || right.text !== result?.content?.[0]?.text || right.rpcId !== id)
    blame(scene, 5, `${launchId} is answered to ${requestId} what is not in the record`);
}

export function acted(scene: Scene, launchId: string, requestId: string): void {
  const gate = gateFor(scene, launchId, requestId);
  if (gate !== undefined && gate.state !== 'approved') {
    blame(scene, 7, `${launchId} did what it had asked for, and ${gate.id} is ${gate.state}`);
  }
}

function gateFor(scene: Scene, launchId: string, requestId: string | undefined): GateView | undefined {
  return [...scene.gates.values()].find((gate) => gate.launchId === launchId && gate.requestId === requestId);
}

function isDecided(gate: GateView): boolean {
  return isDecidedState(gate.state);
}

function isDecidedState(state: GateView['state']): boolean {
  return state === 'approved' || state === 'rejected';
}
