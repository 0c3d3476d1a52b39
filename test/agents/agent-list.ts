// The programs that `npm run test:agents` runs besides Claude Code, which has suites of its own in `npm test`. A further one is a line
// here and an entry of `programs`.

import { type AgentProgram, programs } from '../model-server/agent-programs.ts';

export const agentPrograms: readonly AgentProgram[] = [programs.codex('0.169.0')];
