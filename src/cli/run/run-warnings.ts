// Warnings of `run` on stderr before it starts: agents without a sandbox, broken own prices, services that refuse, and
// uncommitted changes that are not part of the run.

import { plainLine } from '../../std/plain-text.ts';
import { changedVariables } from '../../wire/environment-hashes.ts';
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
  const stale =
    status.environment === null ? null : staleWarning(changedVariables(place.noticedEnv, status.environment));
  const warnings = [sandboxWarning(status.sandbox, sandbox), stale, status.prices.flaw, ...closed, dirty];
  return warnings.filter((warning) => warning !== null).map(plainLine);
}

/** A daemon goes on with the environment that it was started with. */
function staleWarning(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const [have, old] = names.length === 1 ? ['has', 'value'] : ['have', 'values'];
  return (
    `${names.join(', ')} ${have} changed since the daemon started, which keeps the old ${old}: "signalbox down", then this ` +
    'command again, uses the new one; agents continue meanwhile.'
  );
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
