import { describe, expect, it } from 'vitest';
import { listPrices } from '../list-prices.ts';
import { claudeModels } from './models.ts';

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
    expect(claudeModels.flaw(model, none)).toBeNull();
  });

  it.each([
    ['opsu', 'Claude Code has no model "opsu"; did you mean "opus"?'],
    ['claude-sonet-5', 'Claude Code has no model "claude-sonet-5"; did you mean "claude-sonnet-5"'],
    ['claude-opusx', 'Claude Code has no model "claude-opusx"; did you mean '],
    ['gpt-5.5', 'Claude Code has no model "gpt-5.5"'],
  ])('%s is unknown, and similar names are listed [PLAN-28]', (model, told) => {
    expect(claudeModels.flaw(model, none)).toContain(told);
  });

  it('of a gateway is known by its price, and other harnesses accept any [PLAN-28]', () => {
    const own = new Map([['my-gateway-', price]]);
    expect(claudeModels.flaw('my-gateway-large', own)).toBeNull();
    expect(claudeModels.flaw('your-gateway-large', own)).not.toBeNull();
  });

  it('of Claude with a list price is known [PLAN-28]', () => {
    const claude = [...listPrices.keys()].filter((name) => name.startsWith('claude-'));
    expect(claude.filter((name) => claudeModels.flaw(name, none) !== null)).toEqual([]);
  });
});
