// The models of Codex by tier: the newest of its own list whose list price is known, so that budgets in dollars hold.

import type { TierModels } from '../../model/core/model-tiers.ts';

export const codexTiers: TierModels = { strong: 'gpt-6-astra', fast: 'gpt-6-sol', cheap: 'gpt-6-luna' };
