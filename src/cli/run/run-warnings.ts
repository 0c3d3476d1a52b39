// What `run` says, on stderr, before anything is begun: where agents get no sandbox, where prices are not the user's, and
// which services refuse, so that nobody wonders why nothing happens.

import { plainLine } from '../../std/plain-text.ts';
import { statusView } from '../../wire/status-views.ts';
import type { Client } from '../client/client.ts';
import { closedWords } from '../text/account-text.ts';

export async function runWarnings(client: Client, sandbox: string | undefined): Promise<readonly string[]> {
  const status = await client.get('/status', statusView);
  const closed = status.closed.map((each) => `${closedWords(each, Date.now())}. What needs it waits.`);
  const warnings = [sandboxWarning(status.sandbox, sandbox), status.prices.flaw, ...closed];
  return warnings.filter((warning) => warning !== null).map(plainLine);
}

/** What is lost without a sandbox. */
function sandboxWarning(
  { works, why }: { readonly works: boolean; readonly why: string | null },
  sandbox: string | undefined,
): string | null {
  if (sandbox === 'none') return `No sandbox: ${lost} Agents ask before they act.`;
  if (works || sandbox === 'workspace') return null;
  return `There is no sandbox here (${why ?? ''}): ${lost} They ask before they act.`;
}

const lost = 'agents run with all your rights, read your files and reach your sockets.';
