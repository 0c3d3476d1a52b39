// The models of Claude Code by tier: its own aliases, which name the current version of each.

import type { TierModels } from '../../model/core/model-tiers.ts';

export const claudeTiers: TierModels = { strong: 'opus', fast: 'sonnet', cheap: 'haiku' };
