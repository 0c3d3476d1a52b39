// The bundled scripted agent: everything that Signalbox knows of it besides its protocol.

import type { AgentKind } from '../agent-kind.ts';
import { scriptedStall } from './stall.ts';

export const scripted: AgentKind = {
  name: 'scripted',
  title: 'the scripted agent',
  stall: scriptedStall,
  create: async ({ nodePath }) => (await import('./scripted.ts')).createScripted(nodePath),
};
