// The scripted agent's output: lines of stream-json as Claude Code prints them. Decides nothing.

import type { Given } from '../steps/step-list.ts';
import { createLedger } from './usage-ledger.ts';
import { writeWhole } from './write-whole.ts';

export type Line = Readonly<Record<string, unknown>>;

export interface Voice {
  emit(line: Line): void;
  say(text: string): void;
  /** The line that `say` prints, without its newline. */
  sayLine(text: string): string;
  /** Returns the id of the call. */
  toolUse(name: string, input: unknown, id?: string): string;
  toolResult(id: string, content: unknown, isError: boolean, details?: unknown): void;
  system(subtype: string, fields: Line): void;
  state(state: 'running' | 'idle' | 'requires_action'): void;
  /** An assistant line about a failure of the API. */
  apiError(error: string, text: string): void;
  /** Tokens are counted since the last result, the cost over the whole process. */
  result(fields: Line): void;
  use(usage: Given<'usage'>): void;
  /** How full the context window is from now on. */
  fill(tokens: number): void;
  readonly results: number;
  /** Whether the last result was an error. */
  readonly failing: boolean;
}

const charactersPerToken = 4;

/** `record` gets a line for the usage of each request to the model. */
export function createVoice(sessionId: string, model: string, record: (line: string) => void): Voice {
  const startedAt = Date.now();
  // Unique over the processes of a session, which may all have the same pid.
  const prefix = `toolu_${startedAt.toString(36)}`;
  let calls = 0;
  let results = 0;
  let failing = false;
  let contextTokens = 0;
  const ledger = createLedger(`msg_${startedAt.toString(36)}`, model, record);

  const emit = (line: Line): void => writeWhole(1, Buffer.from(`${JSON.stringify(line)}\n`));
  const assistant = (content: Line): Line => {
    const usage = contextTokens === 0 ? {} : { usage: { input_tokens: contextTokens, output_tokens: 1 } };
    const message = { id: ledger.request(), role: 'assistant', model, content: [content], ...usage };
    return { type: 'assistant', message, parent_tool_use_id: null, session_id: sessionId };
  };
  const said = (text: string): Line => {
    ledger.speak(Math.ceil(text.length / charactersPerToken));
    return assistant({ type: 'text', text });
  };
  return {
    emit,
    sayLine: (text) => JSON.stringify(said(text)),
    say: (text) => emit(said(text)),
    toolUse(name, input, given) {
      calls += 1;
      const id = given ?? `${prefix}_${calls}`;
      emit(assistant({ type: 'tool_use', id, name, input }));
      ledger.keep();
      return id;
    },
    toolResult(id, content, isError, details) {
      const block = { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
      const more = details === undefined ? {} : { tool_use_result: details };
      emit({ ...fromUser([block], sessionId), ...more });
      ledger.close();
    },
    system: (subtype, fields) => emit({ type: 'system', subtype, ...fields, session_id: sessionId }),
    state: (state) => emit({ type: 'system', subtype: 'session_state_changed', state, session_id: sessionId }),
    apiError: (error, text) => emit({ ...synthetic(text), session_id: sessionId, error }),
    result(fields) {
      results += 1;
      const line = {
        type: 'result',
        subtype: 'success',
        is_error: false,
        api_error_status: null,
        duration_ms: Date.now() - startedAt,
        num_turns: results,
        stop_reason: 'end_turn',
        terminal_reason: 'completed',
        session_id: sessionId,
        ...ledger.read(),
        ...fields,
      };
      failing = line.is_error;
      emit(line);
    },
    use: ledger.use,
    fill(count) {
      contextTokens = count;
    },
    get results() {
      return results;
    },
    get failing() {
      return failing;
    },
  };
}

/** Text that no model produced. */
function synthetic(text: string): Line {
  const message = { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] };
  return { type: 'assistant', message, parent_tool_use_id: null };
}

export function fromUser(content: unknown, sessionId: string): Line {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: sessionId };
}
