// An agent context with nothing set.

import type { AgentContext } from '../../src/ports/harness.ts';

export const blankAgent: AgentContext = { agentId: 'agent_none', session: null, resume: false, settings: {}, home: '' };
