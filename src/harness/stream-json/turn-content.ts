// What the agent does in a turn: text, calls and their results.

import { type AgentEvent, turnTextMax } from '../../model/session/agent-fact.ts';
import { callWords, type ToolVerbs } from '../call-words.ts';
import { endTasks } from './background-work.ts';
import { withRequest } from './model-requests.ts';
import { withCall, withoutCalls } from './open-calls.ts';
import { answered } from './service-limits.ts';
import type { State } from './state.ts';
import { excerptMax, nothing, type Step } from './step.ts';
import {
  countIn,
  isObject,
  type Json,
  listIn,
  nameMax,
  nameOrNull,
  objectIn,
  textIn,
  textOrNull,
} from './untrusted-json.ts';

const toolVerbs: ToolVerbs = {
  Bash: '',
  Read: 'read',
  Write: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Glob: 'find',
  Grep: 'search for',
  WebFetch: 'fetch',
  WebSearch: 'search the web for',
  Task: 'subagent:',
  Agent: 'subagent:',
  TodoWrite: 'update its to-do list',
  BashOutput: 'read the output of a background command',
  KillShell: 'end a background command',
};

export function readAssistant(state: State, message: Json): Step {
  const within = textOrNull(message['parent_tool_use_id'])?.slice(0, nameMax) ?? null;
  const answer = objectIn(message['message']);
  const { content, usage } = answer;
  const complaint = textOrNull(message['error']);
  if (complaint !== null) {
    const text = listIn(content).map((block) => textIn(objectIn(block)['text']));
    return {
      // The error of the retries before says more than that the service failed.
      state:
        isVague(complaint) && state.complaint !== null
          ? state
          : { ...state, complaint: complaint.slice(0, excerptMax) },
      events: [{ kind: 'error', code: complaint.slice(0, excerptMax), text: text.join('').slice(0, turnTextMax) }],
    };
  }
  const events: AgentEvent[] = [];
  let after = state;
  // Text that the CLI makes in the model's name is no answer of the model.
  if (Array.isArray(content) && answer['model'] !== '<synthetic>') {
    const step = answered(withRequest(state, answer));
    after = step.state;
    events.push(...step.events);
  }
  for (const block of listIn(content)) {
    if (!isObject(block)) continue;
    if (block['type'] === 'text') events.push({ kind: 'text', text: textIn(block['text']), within });
    if (block['type'] === 'tool_use') {
      const { id, name, input } = block;
      const tool = textIn(name).slice(0, nameMax);
      const what = callWords(tool, input, toolVerbs);
      events.push({ kind: 'toolCall', id: nameOrNull(id) ?? '', tool, what, input, within });
      after = withCall(after, block, within);
    }
  }
  if (within === null && isObject(usage)) {
    const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
    events.push({ kind: 'context', tokens: countIn(fresh) + countIn(read) + countIn(written) });
  }
  return after === state ? events : { state: after, events };
}

export function readToolResults(state: State, message: Json): Step {
  const blocks = listIn(objectIn(message['message'])['content']).filter(isObject);
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  if (results.length === 0) return nothing;
  const events: AgentEvent[] = results.map((block) => ({
    kind: 'toolResult',
    id: nameOrNull(block['tool_use_id']) ?? '',
    isError: block['is_error'] === true,
    text: contentText(block['content']).slice(0, turnTextMax),
  }));
  const ids = results.map((block) => textIn(block['tool_use_id']));
  const after = withoutCalls(state, ids);
  const ended = endTasks(after, ids, objectIn(message['tool_use_result']));
  if (ended === null) return after === state ? events : { state: after, events };
  return { state: ended.state, events: [...events, ...ended.events] };
}

function isVague(complaint: string): boolean {
  return complaint === 'unknown' || complaint === 'server_error';
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listIn(content)
    .map((block) => textIn(objectIn(block)['text']))
    .join('\n');
}
