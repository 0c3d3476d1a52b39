// Anthropic's Messages: as a stream of events, or whole for those who ask without.

import { type ModelApi, openEvents, type RequestBody, sendJson, textHeader } from './model-api.ts';

let messages = 0;

export const messagesApi: ModelApi = {
  serves: (path) => path.startsWith('/v1/messages'),
  read: (body, headers) => ({
    session: textHeader(headers, 'x-claude-code-session-id'),
    conversation: JSON.stringify(body.messages ?? []),
    told: textsToldIn(body),
    tools: (body.tools ?? []).map(({ name }) => name),
    isSummary: /Your task is to create a detailed summary/.test(JSON.stringify(body.messages?.at(-1)?.content ?? '')),
  }),
  error: (status, { message }) => ({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }),
  send(response, answer, { model = 'none', stream }) {
    messages += 1;
    const message = {
      id: `msg_${messages}`,
      type: 'message',
      role: 'assistant',
      model,
      stop_sequence: null,
    };
    const blocks = [
      ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
      ...answer.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ];
    const stopReason = answer.stop ?? (answer.calls.length > 0 ? 'tool_use' : 'end_turn');
    const usage = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0, ...answer.usage };
    if (stream !== true) {
      sendJson(response, 200, { ...message, content: blocks, stop_reason: stopReason, usage });
      return;
    }
    const send = openEvents(response);
    send('message_start', {
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    });
    if (answer.hang === 'midway') return;
    blocks.forEach((block, index) => sendBlock(send, block, index));
    send('message_delta', {
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    });
    send('message_stop', {});
    response.end();
  },
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function textsToldIn({ messages: said = [] }: RequestBody): string[] {
  return said.flatMap(({ role, content }) => {
    if (role === 'assistant') return [];
    if (typeof content === 'string') return [content];
    return (content as readonly { readonly text?: string }[]).flatMap(({ text }) => (text === undefined ? [] : [text]));
  });
}

function sendBlock(send: (type: string, data: object) => void, block: Block, index: number): void {
  if (block.type === 'text') {
    send('content_block_start', { index, content_block: { type: 'text', text: '' } });
    send('content_block_delta', { index, delta: { type: 'text_delta', text: block.text } });
  } else {
    const { type, id, name, input } = block;
    send('content_block_start', { index, content_block: { type, id, name, input: {} } });
    send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } });
  }
  send('content_block_stop', { index });
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
}
