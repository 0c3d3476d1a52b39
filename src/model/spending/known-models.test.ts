import { describe, expect, it } from 'vitest';
import { modelFlaw } from './known-models.ts';
import { priceTable } from './price-table.ts';

const none = new Map();
const price = { input: 1, output: 1, cacheWrite: 1, cacheRead: 1 };

describe('a model', () => {
  it.each([
    'opus',
    'sonnet[1m]',
    'opusplan',
    'claude-opus-5-5',
    'claude-opus-5-5-20261103',
    'claude-sonnet-9-1-20291231',
    'claude-3-5-haiku-latest',
    'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    'anthropic/claude-sonnet-5[1m]',
  ])('%s is known to Claude Code [PLAN-28]', (model) => {
    expect(modelFlaw('claude', model, none)).toBeNull();
  });

  it.each([
    ['opsu', 'Claude Code has no model "opsu"; did you mean "opus"?'],
    ['claude-sonet-5', 'Claude Code has no model "claude-sonet-5"; did you mean "claude-sonnet-5"'],
    ['claude-opusx', 'Claude Code has no model "claude-opusx"; did you mean '],
    ['gpt-5.5', 'Claude Code has no model "gpt-5.5"'],
  ])('%s is unknown, and similar names are listed [PLAN-28]', (model, told) => {
    expect(modelFlaw('claude', model, none)).toContain(told);
  });

  it('of a gateway is known by its price, and other harnesses accept any [PLAN-28]', () => {
    const own = new Map([['my-gateway-', price]]);
    expect(modelFlaw('claude', 'my-gateway-large', own)).toBeNull();
    expect(modelFlaw('claude', 'your-gateway-large', own)).not.toBeNull();
    expect(modelFlaw('scripted', 'anything', none)).toBeNull();
    expect(modelFlaw('command', 'anything', none)).toBeNull();
  });

  it('of Claude with a list price is known [PLAN-28]', () => {
    const claude = [...priceTable.keys()].filter((name) => name.startsWith('claude-'));
    expect(claude.filter((name) => modelFlaw('claude', name, none) !== null)).toEqual([]);
  });
});
