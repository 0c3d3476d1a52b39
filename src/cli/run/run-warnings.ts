// Warnings of `run` on stderr before it starts: agents without a sandbox, broken own prices, services that refuse, and
// uncommitted changes that are not part of the run.

import { plainLine } from '../../std/plain-text.ts';
import { statusView } from '../../wire/status-views.ts';
import type { Context, Place } from '../client/context.ts';
import { here } from '../client/current-directory.ts';
import { userGit } from '../client/user-git.ts';
import { closedWords } from '../text/account-text.ts';

export async function runWarnings(
  { client, place }: Pick<Context, 'client' | 'place'>,
  { sandbox, base }: { readonly sandbox?: string | undefined; readonly base?: string },
): Promise<readonly string[]> {
  const status = await client.get('/status', statusView);
  const closed = status.closed.map((each) => `${closedWords(each, Date.now())}. What needs it waits.`);
  const dirty = base === undefined ? await dirtyWarning(place) : null;
  const warnings = [sandboxWarning(status.sandbox, sandbox), status.prices.flaw, ...closed, dirty];
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

/** Does not touch the index. */
async function dirtyWarning(place: Place): Promise<string | null> {
  const status = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules'];
  const { stdout } = await userGit(place, ['-C', here(), '--no-optional-locks', ...status]);
  const [first, ...more] = stdout.split('\0').filter((line) => line !== '');
  if (first === undefined) return null;
  const where = `${first.slice(3)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  return `Uncommitted changes (${where}) are not part of this run; to include them: --base worktree`;
}
