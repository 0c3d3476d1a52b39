// An agent that was told nothing and has nothing.

import type { AgentContext } from '../../src/ports/harness.ts';

export const blankAgent: AgentContext = { agentId: 'agent_none', session: null, resume: false, settings: {}, home: '' };
