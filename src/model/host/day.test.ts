import { expect, it } from 'vitest';
import { readHost, writeHost } from '../snapshot.ts';
import { noUsage } from '../spending/usage.ts';
import { dayShortage } from './day.ts';
import { emptyHost, evolveHost } from './host.ts';

const day = '2026-11-16';

it('unknown costs of a day exhaust its budget of money, until a person sets it again [BUD-9]', () => {
  const host = emptyHost();
  const set = (microUsd: number) =>
    evolveHost(host, { at: 1, type: 'day.budget', budget: { microUsd }, by: 'a person' });
  const spend = (costMicroUsd: number | null) => {
    const usage = { ...noUsage(), costMicroUsd, turns: 1 };
    evolveHost(host, { at: 1, type: 'day.spent', day, parts: [{ model: 'm', usage }] });
  };
  set(5_000_000);
  spend(1_000_000);
  expect(dayShortage(host, day)).toBeNull();
  spend(null);
  expect(dayShortage(host, day)).toContain('is not known');
  set(5_000_000);
  expect([dayShortage(host, day), dayShortage(readHost(writeHost(host)), day)]).toEqual([null, null]);
  spend(1_000_000);
  expect(dayShortage(host, day)).toBeNull();
  spend(null);
  expect(dayShortage(host, day)).toContain('is not known');
  set(1_000_000);
  expect(dayShortage(host, day)).toContain('is exhausted: $2.00 of $1.00');
});
