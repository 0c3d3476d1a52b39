// One answer as the Messages API sends it: as a stream of events, or whole for those who ask without.

import type { ServerResponse } from 'node:http';
import type { RequestBody } from './model-server.ts';
import type { Answer } from './script.ts';

let messages = 0;

export function sendMessage(response: ServerResponse, answer: Answer, { model = 'none', stream }: RequestBody): void {
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
    ...answer.calls.map((call) => ({ type: 'tool_use', ...call })),
  ];
  const stopReason = answer.stop ?? (answer.calls.length > 0 ? 'tool_use' : 'end_turn');
  const usage = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0, ...answer.usage };
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...message, content: blocks, stop_reason: stopReason, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): void => {
    // Without the line that names it an event does not count.
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
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
