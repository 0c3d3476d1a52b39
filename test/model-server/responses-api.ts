// OpenAI's Responses: as a stream of events, or whole for those who ask without.

import type { InputItem, ModelApi, NamedTool, RequestBody } from './model-api.ts';
import { openEvents, sendJson, textHeader } from './model-api.ts';
import type { SpokenAnswer } from './script.ts';

let responses = 0;

export const responsesApi: ModelApi = {
  serves: (path) => /^(\/v1)?\/responses(\?|$)/.test(path),
  read: (body, headers) => ({
    session: textHeader(headers, 'session_id') ?? textHeader(headers, 'session-id') ?? body.prompt_cache_key ?? null,
    conversation: JSON.stringify(body.input ?? []),
    told: itemsOf(body).flatMap(({ role, content }) => (role === 'assistant' ? [] : textsIn(content))),
    tools: namesOf([...(body.tools ?? []), ...itemsOf(body).flatMap(({ tools = [] }) => tools)]),
    isSummary: itemsOf(body)
      .slice(-1)
      .some(({ role, content }) => role === 'user' && textsIn(content).some((text) => summaryWords.test(text))),
  }),
  error: (status, { message }) => ({
    error: { message, type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', code: null, param: null },
  }),
  send(response, answer, { model = 'none', stream }) {
    responses += 1;
    const id = `resp_${responses}`;
    const items = outputOf(answer, id);
    const head = { id, object: 'response', created_at: Math.floor(Date.now() / 1_000), model };
    const whole = { ...head, ...endOf(answer), output: items, usage: usageOf(answer) };
    if (stream !== true) {
      sendJson(response, 200, whole);
      return;
    }
    const write = openEvents(response);
    let sequence_number = 0;
    const send = (type: string, data: object): void => {
      write(type, { sequence_number, ...data });
      sequence_number += 1;
    };
    send('response.created', { response: { ...head, status: 'in_progress', output: [] } });
    if (answer.hang === 'midway') return;
    items.forEach((item, output_index) => sendItem(send, item, output_index));
    send(answer.stop === null ? 'response.completed' : 'response.incomplete', { response: whole });
    response.end();
  },
};

/** By which Codex asks for what it goes on with when its conversation is too long. */
const summaryWords = /CONTEXT CHECKPOINT COMPACTION/;

type Item =
  | {
      readonly type: 'message';
      readonly id: string;
      readonly role: 'assistant';
      readonly status: 'completed';
      readonly content: readonly {
        readonly type: 'output_text';
        readonly text: string;
        readonly annotations: readonly [];
      }[];
    }
  | {
      readonly type: 'function_call';
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      readonly namespace?: string;
      readonly arguments: string;
      readonly status: 'completed';
    }
  | {
      readonly type: 'custom_tool_call';
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      readonly input: string;
      readonly status: 'completed';
    };

function outputOf({ text, calls }: SpokenAnswer, id: string): Item[] {
  const content = [{ type: 'output_text', text, annotations: [] }] as const;
  const status = 'completed';
  return [
    ...(text === '' ? [] : [{ type: 'message', id: `${id}_text`, role: 'assistant', status, content } as const]),
    ...calls.map(({ id: call_id, name, namespace, input }, nth): Item => {
      // A tool that takes free text and no JSON.
      if (typeof input === 'string')
        return { type: 'custom_tool_call', id: `${id}_${nth}`, call_id, name, input, status };
      const called = { type: 'function_call', id: `${id}_${nth}`, call_id, name, status } as const;
      return { ...called, arguments: JSON.stringify(input), ...(namespace === undefined ? {} : { namespace }) };
    }),
  ];
}

function sendItem(send: (type: string, data: object) => void, item: Item, output_index: number): void {
  const item_id = item.id;
  if (item.type === 'message') {
    const text = item.content[0]?.text ?? '';
    const part = { type: 'output_text', text: '', annotations: [] };
    const at = { item_id, output_index, content_index: 0 };
    send('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', content: [] } });
    send('response.content_part.added', { ...at, part });
    send('response.output_text.delta', { ...at, delta: text });
    send('response.output_text.done', { ...at, text });
    send('response.content_part.done', { ...at, part: { ...part, text } });
  } else if (item.type === 'function_call') {
    send('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } });
    send('response.function_call_arguments.delta', { item_id, output_index, delta: item.arguments });
    send('response.function_call_arguments.done', { item_id, output_index, arguments: item.arguments });
  } else {
    send('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', input: '' } });
    send('response.custom_tool_call_input.delta', { item_id, output_index, delta: item.input });
    send('response.custom_tool_call_input.done', { item_id, output_index, input: item.input });
  }
  send('response.output_item.done', { output_index, item });
}

function endOf({ stop }: SpokenAnswer): object {
  if (stop === null) return { status: 'completed', incomplete_details: null };
  const reason = stop === 'max_tokens' ? 'max_output_tokens' : 'content_filter';
  return { status: 'incomplete', incomplete_details: { reason } };
}

/** Here the input holds what was read from a cache. */
function usageOf({ usage }: SpokenAnswer): object {
  const cached = usage.cache_read_input_tokens ?? 0;
  const input_tokens = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + usage.output_tokens,
  };
}

function itemsOf({ input = [] }: RequestBody): readonly InputItem[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return (content as readonly { readonly text?: string }[]).flatMap(({ text }) => (text === undefined ? [] : [text]));
}

/** A tool of a namespace goes by both names. */
function namesOf(tools: readonly NamedTool[]): string[] {
  return tools.flatMap(({ type, name = type ?? '', tools: inner }) =>
    inner === undefined ? [name] : namesOf(inner).map((each) => `${name}.${each}`),
  );
}
