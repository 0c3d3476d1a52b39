// A service that refuses at the moment, in words. Pure.

import { localTime } from '../../std/clock.ts';
import type { ClosedService } from '../../wire/usage-views.ts';

export function closedWords({ name, limit, until }: ClosedService, now: number): string {
  return `account ${name}: ${limitWords[limit]}; tried again at ${localTime(until, now)}`;
}

const limitWords = { rate: 'too many requests', quota: 'used up', unavailable: 'its service fails' } as const;
