// Any program as an agent: everything that Signalbox knows of it besides how it is run.

import type { AgentKind } from '../agent-kind.ts';
import { commandStall } from './stall.ts';

export const command: AgentKind = {
  name: 'command',
  title: 'a command',
  stall: commandStall,
  create: async ({ env }) => (await import('./command.ts')).createCommand({ env }),
};
