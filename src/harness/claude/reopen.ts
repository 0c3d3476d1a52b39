// How a person resumes the session of an agent in Claude Code's own interface. Only names the command; starts nothing.

import { join } from 'node:path';
import type { Reopening, SessionPlace } from '../../ports/harness.ts';
import { configDirectory } from './given-tools.ts';

export function reopenClaude(binary: string, { session, home, cwd }: SessionPlace): Reopening {
  return { argv: [binary, '--resume', session], env: { CLAUDE_CONFIG_DIR: join(home, configDirectory) }, cwd };
}
