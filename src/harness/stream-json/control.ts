// Requests of the agent to its host: may I use this tool, here is a hook, call this tool of yours. What only the
// engine can answer becomes an event; the rest is answered here, because an unanswered request stalls the agent.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import type { ToolDefinition } from '../../model/tool-calls/tool-list.ts';
import { questionsIn } from './question-tool.ts';
import { type Json, nameMax, nameOrNull, objectIn, recordOf, textIn, textOrNull } from './untrusted-json.ts';

/** An agent would else wait ten minutes for an answer, and then for none. */
const hookTimeoutS = 7 * 86_400;

/** The id of the hook that is asked after every tool round, whatever came of its tools: whether the turn goes on. */
export const roundHook = 'round';

/** The name under which agents see our tools. */
export const toolServer = 'signalbox';

/** The id of the hook that is asked after tools of ours that end a turn. */
const afterToolHook = 'after-tool';
/** The id of the hook before them: the one after would end a subagent of the agent's own without a word. */
const beforeToolHook = 'before-tool';

/** For `initialize`: after these the turn goes on only if we say so. */
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
  /** The tools of ours that the agent sees. */
  readonly tools: readonly ToolDefinition[];
  /** The agent is asked how large its context window is, where it does not say so by itself before its first turn is over. */
  readonly asksWindow?: boolean;
}

export interface Answered {
  readonly events: readonly AgentEvent[];
  readonly replies: readonly string[];
}

/** `isCut`: what it asks is not all there, so nobody can answer it. */
export function readRequest(host: Host, message: Json, isCut: boolean): Answered {
  const requestId = nameOrNull(message['request_id']);
  // An answer would have to name it.
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
    // A notification: nothing to say, and yet it waits for an answer.
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
