// Numbers for narrow columns: times, tokens, costs. Unknown is never shown as zero. Pure.

import type { UsageView } from '../../wire/usage-views.ts';

export function elapsed(ms: number): string {
  // Never negative, even if the clock was set back.
  const all = Math.max(0, Math.floor(ms / 1_000));
  const [hours, minutes, seconds] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  if (hours >= 100) return `${Math.floor(hours / 24)}d`;
  if (hours > 0) return `${hours}h ${two(minutes)}m`;
  return minutes > 0 ? `${minutes}m ${two(seconds)}s` : `${seconds}s`;
}

export function count(n: number): string {
  if (n < 1_000) return String(n);
  if (n < 99_950) return `${(n / 1_000).toFixed(1)}k`;
  return n < 999_500 ? `${Math.round(n / 1_000)}k` : `${(n / 1e6).toFixed(1)}M`;
}

/** How full a context window is: a percentage if its size is known, else tokens; empty if unknown. */
export function fill(tokensIn: number | null, window: number | null): string {
  if (tokensIn === null) return '';
  return window === null || window <= 0 ? count(tokensIn) : `${Math.round((100 * tokensIn) / window)}%`;
}

export function tokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: UsageView): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

type Cost = Pick<UsageView, 'costMicroUsd' | 'costAtLeastMicroUsd' | 'estimatedMicroUsd'>;

/** `?` is unknown, `>` at least, `~` estimated, even if only in part. */
export function shortCost({ costMicroUsd, costAtLeastMicroUsd, estimatedMicroUsd }: Cost): string {
  const known = `${estimatedMicroUsd > 0 ? '~' : ''}${dollars(costAtLeastMicroUsd)}`;
  if (costMicroUsd !== null) return known;
  return costAtLeastMicroUsd > 0 ? `>${known}` : '?';
}

export function dollars(micro: number): string {
  // Enough digits that a small amount is not shown as zero.
  const places = micro === 0 || micro >= 10_000 ? 2 : micro >= 100 ? 4 : 6;
  return `$${(micro / 1e6).toFixed(places)}`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
