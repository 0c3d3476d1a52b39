// Requests of the agent to its host: permissions, hooks, calls of our tools. Requests that only the engine can answer become
// events; the rest is answered here, because an unanswered request stalls the agent.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import type { ToolDefinition } from '../../model/tool-calls/tool-list.ts';
import { questionsIn } from './question-tool.ts';
import { type Json, nameMax, nameOrNull, objectIn, recordOf, textIn, textOrNull } from './untrusted-json.ts';

/** By default an agent waits ten minutes for an answer and then continues without one. */
const hookTimeoutS = 7 * 86_400;

/**
 * The id of the hook that is called after every tool round, whatever its tools returned: it decides whether the turn continues.
 */
export const roundHook = 'round';

/** The name under which agents see our tools. */
export const toolServer = 'signalbox';

/** The id of the hook that is called after tools of ours that end a turn. */
const afterToolHook = 'after-tool';
/** The id of the hook before them: the one after would silently end a subagent of the agent's own. */
const beforeToolHook = 'before-tool';

/** For `initialize`: after these tools the turn continues only if we allow it. */
export function parkingHooks(tools: readonly string[]): Readonly<Record<string, unknown>> {
  if (tools.length === 0) return {};
  const matcher = tools.map((tool) => `mcp__${toolServer}__${tool}`).join('|');
  return {
    PreToolUse: [{ matcher, hookCallbackIds: [beforeToolHook], timeout: hookTimeoutS }],
    PostToolUse: [{ matcher, hookCallbackIds: [afterToolHook], timeout: hookTimeoutS }],
  };
}

/** For `initialize`. */
export const roundHooks = { PostToolBatch: [{ matcher: '', hookCallbackIds: [roundHook], timeout: hookTimeoutS }] };

export interface Host {
  /** Our tools that the agent sees. */
  readonly tools: readonly ToolDefinition[];
  /** Ask the agent for the size of its context window, if it does not report it before its first turn is over. */
  readonly asksWindow?: boolean;
}

export interface Answered {
  readonly events: readonly AgentEvent[];
  readonly replies: readonly string[];
}

/** `isCut`: the request is not complete, so it cannot be answered. */
export function readRequest(host: Host, message: Json, isCut: boolean): Answered {
  const requestId = nameOrNull(message['request_id']);
  // An answer would need its id.
  if (requestId === null) return { events: [{ kind: 'garbage', text: 'a request without a name' }], replies: [] };
  const request = objectIn(message['request']);
  if (isCut) return reply(errorFrame(requestId, 'the request is nested too deep'));
  switch (request['subtype']) {
    case 'can_use_tool':
      return readPermission(requestId, request);
    case 'hook_callback':
      return readHook(requestId, request);
    case 'mcp_message':
      return readRpc(host, requestId, request);
    default:
      return reply(errorFrame(requestId, `not supported: ${textIn(request['subtype']).slice(0, nameMax)}`));
  }
}

/** It is stored until it is answered, and shown to people whole. */
const inputMax = 1_000_000;

function readPermission(requestId: string, request: Json): Answered {
  const tool = nameOrNull(request['tool_name']);
  if (tool === null) return reply(errorFrame(requestId, 'the request names no tool'));
  const { input } = request;
  const size = JSON.stringify(input ?? null).length;
  if (size > inputMax) {
    return reply(
      errorFrame(requestId, `the input has ${size} characters as JSON; a person is asked about ${inputMax} at most`),
    );
  }
  const questions = questionsIn(tool, input);
  return event({ kind: 'permissionRequest', requestId, tool, input, ...(questions === null ? {} : { questions }) });
}

export function successFrame(requestId: string, response: unknown): string {
  return frame({ subtype: 'success', request_id: requestId, response });
}

function errorFrame(requestId: string, error: string): string {
  return frame({ subtype: 'error', request_id: requestId, error });
}

function frame(response: unknown): string {
  return recordOf({ type: 'control_response', response });
}

function readHook(requestId: string, request: Json): Answered {
  const callback = textIn(request['callback_id']);
  if (callback === roundHook || callback === afterToolHook) return event({ kind: 'round', requestId });
  const input = objectIn(request['input']);
  if (callback === beforeToolHook) return reply(successFrame(requestId, 'agent_id' in input ? notWithin : {}));
  return {
    events: [
      {
        kind: 'hookCall',
        requestId,
        callback,
        hook: textIn(input['hook_event_name']),
        toolUseId: textOrNull(request['tool_use_id']),
        input,
      },
    ],
    replies: [successFrame(requestId, {})],
  };
}

const notWithin = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'A subagent cannot wait here. End with what you have; whoever started you can wait.',
  },
};

/** The Model Context Protocol, as far as a server that only has tools needs it. */
function readRpc(host: Host, requestId: string, request: Json): Answered {
  const message = objectIn(request['message']);
  const params = objectIn(message['params']);
  const id = message['id'];
  if (typeof id !== 'string' && typeof id !== 'number') {
    // A notification has no result, but the agent waits for an answer.
    return reply(successFrame(requestId, { mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } }));
  }
  const answer = (result: unknown): Answered =>
    reply(successFrame(requestId, { mcp_response: { jsonrpc: '2.0', id, result } }));
  switch (message['method']) {
    case 'initialize':
      return answer({
        protocolVersion: textOrNull(params['protocolVersion']) ?? '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: textIn(request['server_name']), version: '1' },
      });
    case 'ping':
      return answer({});
    case 'tools/list':
      return answer({ tools: host.tools });
    case 'tools/call':
      return event({
        kind: 'toolServerCall',
        requestId,
        rpcId: id,
        server: textIn(request['server_name']),
        tool: textIn(params['name']),
        input: params['arguments'],
        toolUseId: textOrNull(objectIn(params['_meta'])['claudecode/toolUseId']),
      });
    default: {
      const error = { code: -32601, message: `no method ${textIn(message['method'])}` };
      return reply(successFrame(requestId, { mcp_response: { jsonrpc: '2.0', id, error } }));
    }
  }
}

function event(one: AgentEvent): Answered {
  return { events: [one], replies: [] };
}

function reply(record: string): Answered {
  return { events: [], replies: [record] };
}
