// JSON-RPC in lines, as `codex app-server` reads it, with its own types for what is sent.

import { recordOf } from '../stream-json/untrusted-json.ts';
import type {
  ClientMethod,
  CommandExecParams,
  FsRemoveParams,
  FsWriteFileParams,
  ThreadBackgroundTerminalsCleanParams,
  ThreadCompactStartParams,
  ThreadResumeParams,
  ThreadStartParams,
  TurnInterruptParams,
  TurnStartParams,
  TurnSteerParams,
} from './protocol.ts';

interface Params {
  initialize: object;
  'thread/start': ThreadStartParams;
  'thread/resume': ThreadResumeParams;
  'thread/compact/start': ThreadCompactStartParams;
  'thread/backgroundTerminals/clean': ThreadBackgroundTerminalsCleanParams;
  'turn/start': TurnStartParams;
  'turn/steer': TurnSteerParams;
  'turn/interrupt': TurnInterruptParams;
  'fs/writeFile': FsWriteFileParams;
  'fs/remove': FsRemoveParams;
  'command/exec': CommandExecParams;
  'hooks/list': object;
}

export function request<Method extends ClientMethod>(id: string, method: Method, params: Params[Method]): string {
  return recordOf({ id, method, params });
}

export function notification(method: string): string {
  return recordOf({ method });
}

/** To a request of the agent's, by the id that `requestIdOf` made of its. */
export function response(requestId: string, result: object): string {
  return recordOf({ id: rpcIdOf(requestId), result });
}

export function refusal(requestId: string, message: string): string {
  return recordOf({ id: rpcIdOf(requestId), error: { code: -32601, message } });
}

/** Ids of the agent's requests are numbers or texts; ours are texts. */
export function requestIdOf(id: unknown): string | null {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return `${id}`;
  return typeof id === 'string' && id !== '' && id.length <= idMax ? `"${id}` : null;
}

const idMax = 190;

function rpcIdOf(requestId: string): string | number {
  return requestId.startsWith('"') ? requestId.slice(1) : Number(requestId);
}
