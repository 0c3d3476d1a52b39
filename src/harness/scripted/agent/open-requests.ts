// Requests of the scripted agent to its host, each open until it is answered, withdrawn, or the input ends.

import { type Json, objectIn, textIn } from '../../stream-json/untrusted-json.ts';
import type { Voice } from './output-writer.ts';

export interface Requests {
  /** The answer; null = the input ended without one. Rejects, and withdraws the request, when the turn is interrupted. */
  ask(request: Json, signal: AbortSignal): Promise<Json | null>;
  answered(response: Json): void;
  /** No answers will come. */
  close(): void;
}

export function createRequests(voice: Voice): Requests {
  const open = new Map<string, (answer: Json | null) => void>();
  // The processes of a session may all have the same pid.
  const prefix = `ask-${Date.now().toString(36)}`;
  let asked = 0;
  let closed = false;
  return {
    async ask(request, signal) {
      signal.throwIfAborted();
      if (closed) return null;
      asked += 1;
      const id = `${prefix}-${asked}`;
      let withdraw: () => void = () => undefined;
      try {
        return await new Promise<Json | null>((resolve, reject) => {
          withdraw = () => {
            voice.emit({ type: 'control_cancel_request', request_id: id });
            reject(signal.reason as Error);
          };
          open.set(id, resolve);
          signal.addEventListener('abort', withdraw);
          voice.emit({ type: 'control_request', request_id: id, request });
        });
      } finally {
        signal.removeEventListener('abort', withdraw);
        open.delete(id);
      }
    },
    answered({ subtype, request_id: id, response, error }) {
      const refused = { failed: textIn(error) || 'no reason was given' };
      open.get(textIn(id))?.(subtype === 'success' ? objectIn(response) : refused);
    },
    close() {
      closed = true;
      for (const answer of open.values()) answer(null);
    },
  };
}
