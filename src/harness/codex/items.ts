// What Codex says and does in a turn, item by item: words, calls and their results. Its tools go by the names that rules use.

import type { RecordId } from '../../model/core/ids.ts';
import { type AgentEvent, turnTextMax } from '../../model/session/agent-fact.ts';
import { callWords } from '../call-words.ts';
import { type Json, listIn, nameMax, nameOrNull, objectIn, textIn } from '../stream-json/untrusted-json.ts';
import type { ItemType } from './protocol.ts';
import { answered } from './service-limits.ts';
import { commandInShell } from './shell-words.ts';
import { type State, withName, withoutName } from './state.ts';
import { nothing, type Step } from './step.ts';

/** The name under which agents see our tools. */
export const toolNamespace = 'signalbox';

const toolVerbs = { Bash: '', Edit: 'edit', WebSearch: 'search the web for' };

const pathMax = 200;
const pathsMax = 20;

export function readStarted(state: State, item: Json): Step {
  const [id, call] = [nameOrNull(item['id']), callIn(item)];
  if (id === null || call === null) return nothing;
  const { state: after, events } = answered(state);
  const what = callWords(call.tool, call.input, toolVerbs);
  const calls = withName(after.calls, id, `${call.tool}: ${what}`);
  const paths = item['type'] === 'fileChange' ? withName(after.paths, id, pathsIn(item)) : after.paths;
  return {
    state: { ...after, calls, paths },
    events: [...events, { kind: 'toolCall', id, tool: call.tool, what, input: call.input, within: null }],
  };
}

export function readCompleted(state: State, item: Json): Step {
  switch (item['type'] as ItemType) {
    case 'userMessage': {
      const recordId = nameOrNull(item['clientId']);
      if (recordId === null || !recordId.startsWith('record_')) return nothing;
      return { events: [{ kind: 'delivered', recordId: recordId as RecordId }] };
    }
    case 'agentMessage': {
      const { state: after, events } = answered(state);
      const text = textIn(item['text']);
      return {
        state: { ...after, said: text.slice(0, turnTextMax) },
        events: [...events, { kind: 'text', text, within: null }],
      };
    }
    case 'contextCompaction':
      return {
        events: [{ kind: 'compaction', trigger: state.compacts ? 'manual' : 'auto', tokensBefore: 0, tokensAfter: 0 }],
      };
    default:
      return readResult(state, item);
  }
}

function readResult(state: State, item: Json): Step {
  const id = nameOrNull(item['id']);
  if (id === null || callIn(item) === null) return nothing;
  const isError = item['status'] !== 'completed' || item['success'] === false;
  const result: AgentEvent = { kind: 'toolResult', id, isError, text: resultText(item).slice(0, turnTextMax) };
  return {
    state: { ...state, calls: withoutName(state.calls, id), paths: withoutName(state.paths, id) },
    events: [result],
  };
}

interface Called {
  readonly tool: string;
  readonly input: unknown;
}

/** null: not a call of a tool. */
function callIn(item: Json): Called | null {
  switch (item['type'] as ItemType) {
    case 'commandExecution':
      return { tool: 'Bash', input: { command: commandInShell(textIn(item['command'])) } };
    case 'fileChange':
      return { tool: 'Edit', input: fileInput(pathsIn(item)) };
    case 'mcpToolCall':
      return { tool: toolName(textIn(item['server']), textIn(item['tool'])), input: item['arguments'] };
    case 'dynamicToolCall':
      return { tool: toolName(textIn(item['namespace']), textIn(item['tool'])), input: item['arguments'] };
    case 'webSearch':
      return { tool: 'WebSearch', input: { query: textIn(item['query']) } };
    default:
      return null;
  }
}

/** One file by the name that rules about paths look for. */
export function fileInput(paths: readonly string[]): object {
  return paths.length === 1 ? { file_path: paths[0] } : { paths };
}

function toolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.slice(0, nameMax);
}

function pathsIn(item: Json): readonly string[] {
  const paths = listIn(item['changes']).map((change) => textIn(objectIn(change)['path']));
  return paths.slice(0, pathsMax).map((path) => path.slice(0, pathMax));
}

function resultText(item: Json): string {
  const { aggregatedOutput: output, contentItems, error, result } = item;
  if (typeof output === 'string') return output;
  const parts = [...listIn(contentItems), ...listIn(objectIn(result)['content'])].map((part) =>
    textIn(objectIn(part)['text']),
  );
  return [...parts, textIn(objectIn(error)['message'])].filter((part) => part !== '').join('\n');
}
