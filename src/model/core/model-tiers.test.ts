import { expect, it } from 'vitest';
import { joinTiers, modelNamed, tiersOf, withModelNamed } from './model-tiers.ts';

const table = joinTiers(
  { claude: { strong: 'opus', fast: 'sonnet', cheap: 'haiku' }, codex: { strong: 'astra' } },
  { claude: { cheap: 'sonnet' } },
);

it('a tier means a model of each harness, and lines of the user replace its own [TIER-1]', () => {
  const named = (harness: string, word: string): string | null => modelNamed(table, harness, word);
  expect([named('claude', 'strong'), named('codex', 'strong')]).toEqual(['opus', 'astra']);
  expect(named('claude', 'cheap')).toBe('sonnet');
  expect(tiersOf(table, 'claude', 'sonnet')).toEqual(['fast', 'cheap']);
  expect(named('claude', 'claude-opus-5-5')).toBe('claude-opus-5-5');
});

it('a tier for which a harness has no model leaves the agent its own default [TIER-1]', () => {
  expect(modelNamed(table, 'codex', 'cheap')).toBeNull();
  expect(modelNamed(table, 'constructor', 'cheap')).toBeNull();
  expect(withModelNamed(table, 'codex', { model: 'cheap', effort: 'low' })).toEqual({ effort: 'low' });
  expect(withModelNamed(table, 'codex', { model: 'strong', effort: 'low' })).toEqual({ model: 'astra', effort: 'low' });
  expect(withModelNamed(table, 'codex', { effort: 'low' })).toEqual({ effort: 'low' });
});
