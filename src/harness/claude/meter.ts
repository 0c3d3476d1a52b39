// Reads usage from Claude Code's session file: an entry for each part of an answer, with the usage of the whole answer.
// Subagents write files of their own beside it. Measured on 2.1.197 and 2.1.325: an entry may reach the disk a moment after the
// tool round that it began, so the reader waits for the newest one.

import { dirname, join } from 'node:path';
import type { Meter, MeteredRequest } from '../../ports/harness.ts';
import { newestRequest } from '../stream-json/codec.ts';
import { modelName, tokensOf } from '../stream-json/turn-usage.ts';
import { objectIn, parseObject, textIn, textOrNull } from '../stream-json/untrusted-json.ts';
import { sessionOf } from './launch.ts';
import { transcriptPath } from './transcript.ts';

export const claudeMeter: Meter = {
  places(agent, cwd) {
    const session = sessionOf(agent);
    const file = transcriptPath(session, cwd);
    return { file, folder: join(dirname(file), session, 'subagents') };
  },
  reader: () => readEntry,
  awaited: newestRequest,
};

function readEntry(line: string): MeteredRequest | null {
  // Most of a session file is the output of tools: not worth parsing.
  if (!line.includes('"assistant"')) return null;
  const entry = parseObject(line);
  if (entry?.['type'] !== 'assistant') return null;
  const message = objectIn(entry['message']);
  const [id, model] = [textIn(message['id']), textOrNull(message['model'])];
  if (id === '' || model === '<synthetic>') return null;
  const [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens] = tokensOf(objectIn(message['usage']));
  const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd: null, turns: 1 };
  return {
    id,
    whole: textOrNull(message['stop_reason']) !== null,
    model: model === null ? null : modelName(model),
    usage,
  };
}
