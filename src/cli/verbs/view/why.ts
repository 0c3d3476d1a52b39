// `signalbox why`: where a line comes from. git names the commits that brought it; the journal says which of them
// Signalbox made and how.

import { Fault, isFault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type LineageView, lineageView } from '../../../wire/artifact-views.ts';
import { runView } from '../../../wire/views.ts';
import { Declined } from '../../client/client.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { find } from '../../client/find-id.ts';
import { type Blamed, blame, type Claim, claimsFor, isOfLanding } from '../../client/integration-of.ts';
import { checkoutTop, userGit } from '../../client/user-git.ts';
import { lineageLines } from '../../text/lineage-text.ts';

export interface WhyOptions {
  readonly rev?: string;
  readonly run?: string;
  readonly json?: boolean;
}

export const why: Verb<WhyOptions> = async (context, [word = ''], options) => {
  const { place, terminal } = context;
  const [, file = '', digits = ''] = /^(.+):(\d+)$/s.exec(word) ?? [];
  const line = Number(digits);
  if (file === '' || line < 1)
    throw new Fault('bad_request', `"${word}" is not a line: give file and line, for example src/a.ts:12`);
  const source =
    options.run === undefined
      ? await userDirectory(context, file, options.rev)
      : await runDirectory(context, file, options.run);
  const blamed = await blame(place, { ...source, line });
  const claims = await claimsFor(place, source.at, source.rev, blamed.commit);
  const found = await firstTrue(context, source.at, claims);
  if ('known' in found) throw new Declined(nobodyWords(`${file}:${line}`, blamed, claims, found.known));
  if (options.json === true) await terminal.print(`${shownJson({ file, line, blamed, ...found })}\n`);
  else await terminal.print(`${lineageLines(`${file}:${line}`, blamed, found).join('\n')}\n`);
  return exits.ok;
};

interface BlameSource {
  /** git arguments that select the repository. */
  readonly at: readonly string[];
  /** A commit id. */
  readonly rev: string;
  readonly path: string;
}

async function userDirectory({ place }: Context, file: string, rev = 'HEAD'): Promise<BlameSource> {
  const at = ['-C', here()];
  if ((await checkoutTop(place, here())) === null) {
    throw new Fault(
      'not_a_repository',
      'this directory is not in a git repository: change to one, or name a run with --run',
    );
  }
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`];
  const { status, stdout } = await userGit(place, [...at, ...args]);
  if (status !== 0) throw new Declined(`your repository has no commit "${rev}"`);
  return { at, rev: stdout.trim(), path: file };
}

/** Paths on the branch of a run start at the top of the repository, even if the user is in a subdirectory. */
async function runDirectory(context: Context, file: string, word: string): Promise<BlameSource> {
  const { runId } = await find(context, word);
  const run = await context.client.get(`/runs/${runId}`, runView);
  const gitDir = run.tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir;
  if (run.branch === null || gitDir === undefined)
    throw new Declined(`no work of the run "${word}" has been integrated`);
  const { stdout } = await userGit(context.place, ['-C', here(), 'rev-parse', '--show-prefix']);
  return { at: ['--git-dir', gitDir], rev: run.branch.head, path: `${stdout.trim()}${file}` };
}

export interface Found {
  /** The integration commit, or the saved work itself. */
  readonly commit: string;
  readonly lineage: LineageView;
}

/** Anybody can write a trailer or a note: a claim counts only if the journal knows that very commit. */
async function firstTrue(
  { client, place }: Context,
  at: readonly string[],
  claims: readonly Claim[],
): Promise<Found | { readonly known: LineageView | null }> {
  let known: LineageView | null = null;
  for (const { commit, attemptId } of claims) {
    try {
      const lineage = await client.get(`/attempts/${attemptId}/lineage`, lineageView);
      known ??= lineage;
      if (lineage.commit === commit || lineage.integrated.includes(commit)) {
        return { commit: lineage.integrated.at(-1) ?? commit, lineage };
      }
      for (const landing of lineage.landings) {
        if (await isOfLanding(place, at, commit, landing))
          return { commit: lineage.integrated.at(-1) ?? commit, lineage };
      }
    } catch (error) {
      if (!isFault(error, 'not_found')) throw error;
    }
  }
  return { known };
}

function nobodyWords(
  where: string,
  { commit, summary }: Blamed,
  claims: readonly Claim[],
  known: LineageView | null,
): string {
  const made = `it was last changed by ${commit.slice(0, 12)} "${plainLine(summary)}"`;
  const [claim] = claims;
  if (claim === undefined) return `${where} does not come from Signalbox: ${made}`;
  const said = `${claim.commit.slice(0, 12)} claims to be of ${claim.attemptId}`;
  if (known === null || known.landings.length === 0) {
    return `the journal does not know where ${where} comes from: ${made}; ${said}, but the journal has no such commit`;
  }
  const { task, run } = known;
  const seen = `work of task "${plainLine(task.name)}" in run "${plainLine(run.name)}" that landed as other commits`;
  return (
    `the journal does not have the commit that ${where} comes from: ${made}; it names ${seen}, so it was probably ` +
    `rebased, amended or squashed since. See that work: signalbox review ${run.id}`
  );
}
