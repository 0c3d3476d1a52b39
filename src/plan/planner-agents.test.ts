import { expect, it } from 'vitest';
import { onlyNames } from '../model/spending/harness-rules.ts';
import { agentsForPlanner } from './planner-agents.ts';

const price = { input: 4, output: 20, cacheWrite: 5, cacheRead: 0.2 };
const harnesses = {
  ...onlyNames('claude', 'codex'),
  tiers: { claude: { strong: 'opus', cheap: 'haiku' }, codex: { strong: 'astra' } },
  price: (_: string, model: string) => (model === 'opus' ? price : null),
};
const claude = { harness: 'claude', title: 'Claude Code' };
const codex = { harness: 'codex', title: 'Codex' };

it('a planner is told the agents that can work here, with tiers and what a task costs on each [TIER-3]', () => {
  const text = agentsForPlanner([claude, codex], 'claude', { codex: { cheap: 'luna' } }, { harnesses, own: new Map() });
  expect(text).toContain(
    '- `harness: claude` (Claude Code, for tasks that name no harness): `model: strong` = opus (~$0.45); `model: cheap` = haiku (price unknown)',
  );
  expect(text).toContain(
    '- `harness: codex` (Codex): `model: strong` = astra (price unknown); `model: cheap` = luna (',
  );
});

it('an agent without tiers is told as one with a single model [TIER-3]', () => {
  const text = agentsForPlanner([claude], 'scripted', {}, { harnesses, own: new Map() });
  expect(text).toContain('- `harness: scripted` (scripted, for tasks that name no harness): one model');
});
