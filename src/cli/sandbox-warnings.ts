// What `run` says, on stderr, where agents get no sandbox.

import { statusView } from '../wire/status-views.ts';
import type { Client } from './client.ts';
import { plainLine } from './plain-text.ts';

/** What is lost without a sandbox, said before anything is begun. */
export async function sandboxWarnings(client: Client, sandbox: string | undefined): Promise<readonly string[]> {
  if (sandbox === 'none') return [`No sandbox: ${lost} Agents ask before they act.`];
  const { works, why } = (await client.get('/status', statusView)).sandbox;
  if (works || sandbox === 'workspace') return [];
  return [`There is no sandbox here (${plainLine(why ?? '')}): ${lost} They ask before they act.`];
}

const lost = 'agents run with all your rights, read your files and reach your sockets.';
