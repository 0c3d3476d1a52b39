// Codex, as far as Signalbox knows it besides its protocol.

import type { AgentKind } from '../agent-kind.ts';
import { checkCredential, codexCredential } from './credential.ts';
import { passedOn } from './environment.ts';
import { codexStall } from './stall.ts';
import { codexTiers } from './tiers.ts';
import { codexTested, judgeCodexVersion } from './version.ts';

/** For tasks that name no model: the newest of Codex's own list whose list price is known. */
const usualModel = 'gpt-6-sol';

export const codex: AgentKind = {
  name: 'codex',
  title: codexCredential.title,
  stall: codexStall,
  usualModel,
  // As Codex names itself in commits.
  coAuthor: { name: 'Codex', email: 'noreply@openai.com' },
  async create({ binary, env, tools, parkingTools }) {
    const { createCodex } = await import('./codex.ts');
    return createCodex({ binary, model: usualModel, env, tools, parkingTools });
  },
  program: {
    binary: 'codex',
    variable: 'SIGNALBOX_CODEX',
    install: 'npm install -g @openai/codex',
    update: 'npm install -g @openai/codex@latest',
    environment: (home) => ({ CODEX_HOME: home }),
    tested: codexTested,
    judgeVersion: judgeCodexVersion,
  },
  credential: { ...codexCredential, check: checkCredential },
  passedOn,
  ownVariables: /^(?:CODEX|OPENAI)_/,
  tiers: codexTiers,
  models: async () => (await import('./models.ts')).codexModels,
};
