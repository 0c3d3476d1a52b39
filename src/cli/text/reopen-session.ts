// The shell command that resumes an agent's session in the agent's own interface. Pure.

import type { AttemptView } from '../../wire/views.ts';
import { plainText } from './plain-text.ts';

/** null: the agent has no such interface, or no session yet. */
export function reopenCommand(reopen: AttemptView['reopen']): string | null {
  if (reopen === null) return null;
  const env = Object.entries(reopen.env).map(([name, value]) => `${name}=${quoted(value)}`);
  return plainText(['cd', quoted(reopen.cwd), '&&', ...env, ...reopen.argv.map(quoted)].join(' '));
}

/** Quotes a word for sh. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
