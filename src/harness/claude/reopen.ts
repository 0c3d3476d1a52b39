// How a person takes the session of an agent up in Claude Code's own interface. Says it only; starts nothing.

import { join } from 'node:path';
import { configDirectory } from './launch.ts';

export interface SessionPlace {
  readonly session: string;
  readonly home: string;
  /** Sessions are found by the directory they were begun in. */
  readonly cwd: string;
}

export interface Reopening {
  readonly argv: string[];
  /** To be set in the person's own environment, which has the credential. */
  readonly env: Record<string, string>;
  readonly cwd: string;
}

export function reopenClaude(binary: string, { session, home, cwd }: SessionPlace): Reopening {
  return { argv: [binary, '--resume', session], env: { CLAUDE_CONFIG_DIR: join(home, configDirectory) }, cwd };
}
