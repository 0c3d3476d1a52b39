// The shell command that resumes an agent's session in the agent's own interface. Pure.

import { plainText } from '../../std/plain-text.ts';
import { shellQuote } from '../../std/shell-quote.ts';
import type { AttemptView } from '../../wire/views.ts';

/** null: the agent has no such interface, or no session yet. */
export function reopenCommand(reopen: AttemptView['reopen']): string | null {
  if (reopen === null) return null;
  const env = Object.entries(reopen.env).map(([name, value]) => `${name}=${shellQuote(value)}`);
  return plainText(['cd', shellQuote(reopen.cwd), '&&', ...env, ...reopen.argv.map(shellQuote)].join(' '));
}
