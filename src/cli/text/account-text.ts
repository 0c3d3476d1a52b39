// Words for an account whose service refuses requests at the moment. Pure.

import { localTime } from '../../std/clock.ts';
import type { ClosedService } from '../../wire/usage-views.ts';

export function closedWords({ name, limit, until }: ClosedService, now: number): string {
  return `account ${name}: ${limitWords[limit]}; next try at ${localTime(until, now)}`;
}

const limitWords = { rate: 'too many requests', quota: 'quota exhausted', unavailable: 'the service fails' } as const;
