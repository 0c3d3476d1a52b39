import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AmountKind, amountKinds, amountWord, readAmount, unitsMax } from './amount.ts';

const units = (word: string | number, kind: AmountKind): number | string => {
  const read = readAmount(word, kind);
  return 'units' in read ? read.units : read.flaw;
};

it('an amount is read as people write it, exactly [AMT-1]', () => {
  expect(['$5', '5', 5, '5.50', 0.1, '0.000001', '.5', ' 3 '].map((word) => units(word, 'usd'))).toEqual([
    5_000_000, 5_000_000, 5_000_000, 5_500_000, 100_000, 1, 500_000, 3_000_000,
  ]);
  expect(['200k', '2M', '1.5m', '1.000001M', 7].map((word) => units(word, 'tokens'))).toEqual([
    200_000, 2_000_000, 1_500_000, 1_000_001, 7,
  ]);
  expect(['90s', '30m', '2h', '1.5h', '0.001s', '7d'].map((word) => units(word, 'time'))).toEqual([
    90_000, 1_800_000, 7_200_000, 5_400_000, 1, 604_800_000,
  ]);
  expect(units('100', 'turns')).toBe(100);
});

it('a negative, zero, absurd, too fine or non-numeric amount is refused with the reason [AMT-2]', () => {
  expect(units('-5', 'usd')).toBe('"-5" is below zero');
  expect(units('$0.00', 'usd')).toBe('"$0.00" is nothing: leave it out, or write more than zero');
  expect(units('1000000.000001', 'usd')).toBe('"1000000.000001" is absurd: at most $1,000,000');
  expect(units('0.0000001', 'usd')).toBe('"0.0000001" is too fine: dollars have at most six decimals');
  expect(units('1.5', 'turns')).toBe('"1.5" is too fine: there are only whole turns');
  expect(units('30', 'time')).toBe('"30" has no unit: write a time, as in 90s, 30m or 2h');
  expect(units('3parsecs', 'time')).toMatch('has an unknown unit');
  expect(units('1constructor', 'tokens')).toMatch('has an unknown unit');
  const none = ['', 'NaN', 'Infinity', '1e3', '1,000', '5 €', '$', '.', 'k', '1.', '9'.repeat(41), NaN, 1e21];
  for (const word of none) expect(units(word, 'usd')).toMatch('is no amount: write dollars, as in 5 or $5.50');
  expect(units('$5', 'tokens')).toMatch('is no amount');
});

it('every whole number of units survives its decimal form [AMT-1]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: unitsMax }), (micro) => {
      const digits = String(micro).padStart(7, '0');
      expect(units(`${digits.slice(0, -6)}.${digits.slice(-6)}`, 'usd')).toBe(micro);
      expect(units(String(micro), 'tokens')).toBe(micro);
    }),
  );
});

it('an amount in words is read as the same amount again [AMT-1]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: unitsMax }), fc.constantFrom(...amountKinds), (all, kind) => {
      expect(units(amountWord(all, kind), kind)).toBe(all);
    }),
  );
  expect([amountWord(5_500_000, 'usd'), amountWord(1, 'usd'), amountWord(2_000_000, 'tokens')]).toEqual([
    '5.5',
    '0.000001',
    '2M',
  ]);
  expect([5_400_000, 7_200_000, 1].map((ms) => amountWord(ms, 'time'))).toEqual(['90m', '2h', '0.001s']);
});
