// The session file that Codex keeps, its rollout: where it lies, what it says of messages and of usage. After a crash it is the judge.

import { join } from 'node:path';
import type { RecordId } from '../../model/core/ids.ts';
import type { AgentContext, Meter, MeteredRequest } from '../../ports/harness.ts';
import { type Json, objectIn, parseObject, textIn, textOrNull } from '../stream-json/untrusted-json.ts';
import { homeFolder } from './given-tools.ts';
import { parseState } from './state.ts';
import { awaitedRequest, requestName, sumOf, type TallyNames, tallyOf, usageOf } from './usage.ts';

/** Below the agent's home. The folders and the name hold when the thread began, which nobody else knows; its id is unique. */
export function rolloutPath({ session }: AgentContext): string | null {
  return session === null ? null : join(homeFolder, 'sessions/*/*/*', `rollout-*-${session}.jsonl`);
}

/** A message is there by the name that it was sent with. They are taken up in order. */
export function deliveredIn(transcript: Iterable<string>, sent: readonly RecordId[]): ReadonlySet<RecordId> {
  const places = new Map<string, number>(sent.map((id, place) => [id, place]));
  let last = -1;
  for (const line of transcript) {
    if (!line.includes('"UserMessage"')) continue;
    const item = objectIn(objectIn(parseObject(line)?.['payload'])['item']);
    last = Math.max(last, places.get(textIn(item['client_id'])) ?? -1);
  }
  return new Set(sent.slice(0, last + 1));
}

export const codexMeter: Meter = {
  places: (agent) => ({ file: rolloutPath(agent) ?? join(homeFolder, 'no-session'), folder: null }),
  reader() {
    let model: string | null = null;
    return (line) => {
      // Most of a rollout is what was said: not worth parsing.
      if (!/^.{0,100}"type":"(?:turn_context|token_usage_record)"/.test(line)) return null;
      const entry = parseObject(line);
      const payload = objectIn(entry?.['payload']);
      if (entry?.['type'] === 'token_usage_record') return readUsage(payload, model);
      model = textOrNull(payload['model']) ?? model;
      return null;
    };
  },
  awaited: (state) => awaitedRequest(parseState(state)),
};

function readUsage(payload: Json, model: string | null): MeteredRequest {
  const total = tallyOf(objectIn(payload['thread_token_usage']), snakeCase);
  const usage = usageOf(tallyOf(objectIn(payload['usage']), snakeCase));
  return { id: requestName(sumOf(total)), whole: true, model, usage };
}

const snakeCase: TallyNames = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cached_input_tokens',
  written: 'cache_write_input_tokens',
};
