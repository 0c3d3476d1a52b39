// Requests of Codex to its host: may I run this, call this tool of yours, what does your user say. What only the engine can answer
// becomes an event; the rest is answered here, because an unanswered request stalls the agent.

import type { Question } from '../../model/asks/question.ts';
import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { type Json, listIn, nameOrNull, objectIn, textIn, textOrNull } from '../stream-json/untrusted-json.ts';
import { setGate } from './gate.ts';
import { fileInput, toolNamespace } from './items.ts';
import type { ServerMethod } from './protocol.ts';
import { refusal, requestIdOf, response } from './records.ts';
import { commandInShell } from './shell-words.ts';
import { type GatedCall, nameIn, type State, withName } from './state.ts';
import { excerptMax, type Step } from './step.ts';

/** By which the answer to a request that shuts the gate is known. */
export const gatePrefix = 'gate:';

/** What is longer waits for no gate: it would be stored until the gate is shut. */
const gatedMax = 20_000;

/** `parkingTools`: after these the engine decides whether the turn goes on. `isCut`: what is asked is not all there. */
export function readRequest(state: State, message: Json, parkingTools: readonly string[], isCut: boolean): Step {
  const requestId = requestIdOf(message['id']);
  if (requestId === null) return { events: [{ kind: 'garbage', text: 'a request without a name' }] };
  const method = textIn(message['method']);
  const params = objectIn(message['params']);
  if (isCut) return { replies: [refusal(requestId, 'the request is nested too deep')] };
  switch (method as ServerMethod) {
    case 'item/tool/call':
      return readCall(state, requestId, params, parkingTools);
    case 'item/commandExecution/requestApproval': {
      const command = commandInShell(textIn(params['command']));
      return asks({ kind: 'permissionRequest', requestId, tool: 'Bash', input: { command, ...reasonIn(params) } });
    }
    case 'item/fileChange/requestApproval': {
      const paths = nameIn(state.paths, textIn(params['itemId'])) ?? [];
      return asks({
        kind: 'permissionRequest',
        requestId,
        tool: 'Edit',
        input: { ...fileInput(paths), ...reasonIn(params) },
      });
    }
    case 'item/tool/requestUserInput': {
      const asked = listIn(params['questions']).slice(0, questionsMax).map(objectIn);
      const input = { questions: asked.map(({ id, question }) => ({ id: textIn(id), question: textIn(question) })) };
      return asks({
        kind: 'permissionRequest',
        requestId,
        tool: 'request_user_input',
        input,
        questions: asked.map(questionIn),
      });
    }
    default:
      return { replies: [refusal(requestId, `not supported: ${method.slice(0, excerptMax)}`)] };
  }
}

const questionsMax = 10;

/** It is stored until it is answered, and shown to people whole. */
const inputMax = 1_000_000;

function asks(event: Extract<AgentEvent, { kind: 'permissionRequest' }>): Step {
  const size = JSON.stringify(event.input).length;
  if (size <= inputMax) return { events: [event, { kind: 'blocked', requestIds: [event.requestId] }] };
  return { replies: [response(event.requestId, { decision: 'decline' })] };
}

function reasonIn(params: Json): { reason?: string } {
  const reason = textOrNull(params['reason']);
  return reason === null || reason === '' ? {} : { reason };
}

function questionIn({ header, question, options }: Json): Question {
  const choices = listIn(options).map((option) => {
    const { label, description } = objectIn(option);
    return { label: textIn(label), description: textIn(description) };
  });
  return {
    question: textIn(question),
    header: textOrNull(header),
    options: choices.filter(({ label }) => label !== ''),
    multiple: false,
  };
}

function readCall(state: State, requestId: string, params: Json, parkingTools: readonly string[]): Step {
  const callId = nameOrNull(params['callId']) ?? requestId;
  const call: GatedCall = { requestId, callId, tool: textIn(params['tool']), input: params['arguments'] };
  const parks = params['namespace'] === toolNamespace && parkingTools.includes(call.tool);
  if (!parks || state.brake || JSON.stringify(call.input ?? null).length > gatedMax)
    return { events: [callEvent(call)] };
  // Told when the gate is shut: the answer might else be followed by a request to the model.
  const id = gatePrefix + requestId;
  return {
    state: { ...state, isShut: true, gated: withName(state.gated, id, call) },
    replies: [setGate(id, state.dir, 'shut')],
  };
}

export function callEvent({ requestId, callId, tool, input }: GatedCall): AgentEvent {
  return { kind: 'toolServerCall', requestId, rpcId: requestId, server: toolNamespace, tool, input, toolUseId: callId };
}
