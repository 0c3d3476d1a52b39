// Orders as records of stream-json.

import type { Order, OrderImage } from '../../ports/harness.ts';
import { successFrame } from './control.ts';
import { withAnswers } from './question-tool.ts';
import { recordOf } from './untrusted-json.ts';

export function encodeOrder({ recordId, body }: Order): string {
  switch (body.kind) {
    case 'text':
      return userFrame(recordId, body.text);
    case 'record':
      return body.record;
    case 'compact':
      return userFrame(recordId, compactCommand);
    case 'interrupt':
      return requestFrame(recordId, { subtype: 'interrupt' });
    case 'end':
      return requestFrame(recordId, { subtype: 'end_session' });
    case 'allow': {
      const { input, answers } = body;
      const updatedInput = answers === undefined ? input : withAnswers(input, answers);
      return successFrame(body.requestId, { behavior: 'allow', updatedInput });
    }
    case 'deny':
      return successFrame(body.requestId, { behavior: 'deny', message: body.message, interrupt: body.interrupt });
    case 'toolAnswer': {
      const { requestId, rpcId: id, text, isError } = body;
      const result = { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
      return successFrame(requestId, { mcp_response: { jsonrpc: '2.0', id, result } });
    }
    case 'round':
      return successFrame(body.requestId, body.goOn ? {} : { continue: false, stopReason: 'paused by Signalbox' });
  }
}

/** A command of the CLI, not text for the model. */
export const compactCommand = '/compact';

export function userFrame(uuid: string, text: string, images: readonly OrderImage[] = []): string {
  const blocks = images.map(({ type, data }) => {
    return { type: 'image', source: { type: 'base64', media_type: type, data } };
  });
  const content = blocks.length === 0 ? text : [{ type: 'text', text }, ...blocks];
  return recordOf({ type: 'user', message: { role: 'user', content }, uuid });
}

export function requestFrame(requestId: string, request: unknown): string {
  return recordOf({ type: 'control_request', request_id: requestId, request });
}
