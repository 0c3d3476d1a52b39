// A result line: what the turn cost and how it ended. It judges by `is_error`, never by `subtype`: a failed API call
// ends in subtype "success".

import { type Turn, turnTextMax } from '../../model/agent-fact.ts';
import type { FailureReason } from '../../model/failure.ts';
import type { Usage } from '../../model/usage.ts';
import { countIn, isObject, type Json, listIn, microUsdIn, objectIn, textIn } from './json.ts';
import { nameIn, type State, type Sums, type Tokens } from './state.ts';

/** The turn's own tokens and cost, out of sums over the process or, in newer versions, over the session. */
export function readUsage(state: State, message: Json): { usage: Usage; sums: Sums } {
  const before =
    state.sums ?? (sumsContinue(state.version) ? null : { costMicroUsd: 0, tokens: [0, 0, 0, 0] as const });
  const cost = microUsdIn(message['total_cost_usd']);
  const tokens = tokensOf(message['modelUsage']);
  // The sums count what subagents, compaction and the last call over a budget used; the turn's own usage does not.
  const counted = tokens === null || before === null ? null : difference(tokens, before.tokens);
  const [input, output, cacheRead, cacheWrite] = counted ?? ownTokens(objectIn(message['usage']));
  const known = cost !== null && before !== null && cost >= before.costMicroUsd;
  return {
    usage: {
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
      // A sum that shrank is no sum, and one whose beginning nobody knows tells nothing of this turn.
      costMicroUsd: known ? cost - before.costMicroUsd : null,
      turns: countIn(message['num_turns']),
    },
    sums: { costMicroUsd: cost ?? before?.costMicroUsd ?? 0, tokens },
  };
}

/** Sums as the agent told them apart from a turn. */
export function readSums(session: Json): Sums | null {
  const costMicroUsd = microUsdIn(session['total_cost_usd']);
  return costMicroUsd === null ? null : { costMicroUsd, tokens: tokensOf(session['model_usage']) };
}

export function readTurn(state: State, message: Json): Turn {
  const text = textIn(message['result']);
  if (message['is_error'] === false)
    return { kind: 'ok', text: text.slice(0, turnTextMax), cut: text.length > turnTextMax };
  const errors = listIn(message['errors']).filter((error) => typeof error === 'string');
  const reason = failureReason(state, message);
  if (reason === 'stopped') return { kind: 'failed', failure: { reason, detail: 'the turn was interrupted' } };
  const told = text !== '' ? text : errors.join('; ');
  const detail = told === '' ? `the turn ended with ${String(message['subtype'])}` : told.slice(0, turnTextMax);
  return { kind: 'failed', failure: { reason, detail } };
}

/** The CLI was to take up a session and has none of that id. */
export function isSessionLost(message: Json): boolean {
  const told = [textIn(message['result']), ...listIn(message['errors'])];
  return message['is_error'] !== false && told.some((text) => /^No conversation found\b/.test(String(text)));
}

function failureReason(state: State, message: Json): FailureReason {
  return (
    nameIn(bySubtype, textIn(message['subtype'])) ??
    nameIn(byEnd, textIn(message['terminal_reason'])) ??
    (message['stop_reason'] === 'refusal' ? 'refusal' : undefined) ??
    nameIn(byComplaint, state.complaint ?? '') ??
    nameIn(byStatus, String(message['api_error_status'])) ??
    'crash'
  );
}

const bySubtype: Readonly<Record<string, FailureReason>> = {
  error_max_turns: 'max-turns',
  error_max_budget_usd: 'budget',
  error_max_structured_output_retries: 'invalid-output',
};

const byEnd: Readonly<Record<string, FailureReason>> = {
  prompt_too_long: 'context-overflow',
  max_turns: 'max-turns',
  budget_exhausted: 'budget',
  structured_output_retry_exhausted: 'invalid-output',
  // Somebody interrupted it.
  aborted_tools: 'stopped',
  aborted_streaming: 'stopped',
};

/** What the line before the result called it, or the last retry. */
const byComplaint: Readonly<Record<string, FailureReason>> = {
  authentication_failed: 'auth',
  billing_error: 'billing',
  max_output_tokens: 'max-output',
  rate_limit: 'rate-limit',
  overloaded: 'rate-limit',
  quota: 'quota',
  model_not_found: 'setup-failed',
};

const byStatus: Readonly<Record<string, FailureReason>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  413: 'context-overflow',
  429: 'rate-limit',
  529: 'rate-limit',
};

/** Up to 2.1.197 a resumed process counts from zero; 2.1.325 goes on from the sums of the session. */
function sumsContinue(version: string | null): boolean {
  if (version === null) return false;
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major !== 2 || minor !== 1 ? major > 2 || minor > 1 : patch > 197;
}

function tokensOf(modelUsage: unknown): Tokens | null {
  if (!isObject(modelUsage)) return null;
  let [input, output, cacheRead, cacheWrite] = [0, 0, 0, 0];
  for (const model of Object.values(modelUsage)) {
    const usage = objectIn(model);
    input += countIn(usage['inputTokens']);
    output += countIn(usage['outputTokens']);
    cacheRead += countIn(usage['cacheReadInputTokens']);
    cacheWrite += countIn(usage['cacheCreationInputTokens']);
  }
  return [input, output, cacheRead, cacheWrite];
}

function difference(now: Tokens, before: Tokens | null): Tokens | null {
  if (before === null || now.some((count, at) => count < (before[at] ?? 0))) return null;
  return [now[0] - before[0], now[1] - before[1], now[2] - before[2], now[3] - before[3]];
}

function ownTokens(usage: Json): Tokens {
  return [
    countIn(usage['input_tokens']),
    countIn(usage['output_tokens']),
    countIn(usage['cache_read_input_tokens']),
    countIn(usage['cache_creation_input_tokens']),
  ];
}
