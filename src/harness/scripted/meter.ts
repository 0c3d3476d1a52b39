// Reads the usage that the scripted agent wrote down.

import type { Meter, MeteredRequest } from '../../ports/harness.ts';
import { newestRequest } from '../stream-json/codec.ts';
import { tokensOf } from '../stream-json/turn-usage.ts';
import { microUsdIn, objectIn, parseObject, textIn, textOrNull } from '../stream-json/untrusted-json.ts';
import { recordFile } from './agent/usage-ledger.ts';

export const scriptedMeter: Meter = {
  places: () => ({ file: recordFile, folder: null }),
  reader: () => readEntry,
  awaited: newestRequest,
};

function readEntry(line: string): MeteredRequest | null {
  const entry = parseObject(line);
  const id = textIn(entry?.['id']);
  if (entry === null || id === '') return null;
  const [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens] = tokensOf(objectIn(entry['usage']));
  const costMicroUsd = microUsdIn(entry['cost_usd']);
  const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicroUsd, turns: 1 };
  return { id, whole: true, model: textOrNull(entry['model']), usage };
}
