// Claude Code: everything that Signalbox knows of it besides its protocol.

import type { AgentKind } from '../agent-kind.ts';
import { checkCredential, claudeCredential } from './credential.ts';
import { passedOn } from './environment.ts';
import { claudeStall } from './stall.ts';
import { claudeTiers } from './tiers.ts';
import { claudeTested, judgeClaudeVersion } from './version.ts';

export const claude: AgentKind = {
  name: 'claude',
  title: claudeCredential.title,
  stall: claudeStall,
  // As Claude Code names itself in commits.
  coAuthor: { name: 'Claude', email: 'noreply@anthropic.com' },
  async create({ binary, env, tools, parkingTools }) {
    const { createClaude } = await import('./claude.ts');
    return createClaude({ binary, env, tools, parkingTools });
  },
  program: {
    binary: 'claude',
    variable: 'SIGNALBOX_CLAUDE',
    install: 'npm install -g @anthropic-ai/claude-code',
    update: 'claude update',
    environment: (home) => ({ CLAUDE_CONFIG_DIR: home }),
    tested: claudeTested,
    judgeVersion(text) {
      const { kind } = judgeClaudeVersion(text);
      return kind === 'unknown' ? 'untested' : kind;
    },
  },
  credential: { ...claudeCredential, check: checkCredential },
  passedOn,
  ownVariables: /^(?:CLAUDE|ANTHROPIC)_/,
  heedsTools: true,
  tiers: claudeTiers,
  models: async () => (await import('./models.ts')).claudeModels,
};
