// The only list of harnesses. A new one is a folder and a line here.

import type { AgentKind } from './agent-kind.ts';
import { claude } from './claude/kind.ts';
import { codex } from './codex/kind.ts';
import { command } from './command/kind.ts';
import { scripted } from './scripted/kind.ts';

export const agentKinds: readonly AgentKind[] = [claude, codex, command, scripted];
