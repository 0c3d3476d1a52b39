// `signalbox why`: where a line comes from. git says which commits brought it; the record says which of them integrated, and all
// that is known of how.

import { Fault, isFault } from '../../../std/fault.ts';
import { type LineageView, lineageView } from '../../../wire/artifact-views.ts';
import { runView } from '../../../wire/views.ts';
import { Declined } from '../../client/client.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { find } from '../../client/find-id.ts';
import { type Blamed, blame, type Claim, claimsFor } from '../../client/integration-of.ts';
import { checkoutTop, userGit } from '../../client/user-git.ts';
import { lineageLines } from '../../text/lineage-text.ts';
import { plainLine } from '../../text/plain-text.ts';

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
    throw new Fault('bad_request', `"${word}" names no line: write a file and a line, as in src/a.ts:12`);
  const ground =
    options.run === undefined
      ? await userDirectory(context, file, options.rev)
      : await runDirectory(context, file, options.run);
  const blamed = await blame(place, { ...ground, line });
  const claims = await claimsFor(place, ground.at, ground.rev, blamed.commit);
  const found = await firstTrue(context, claims);
  if (found === null) throw new Declined(nobodyWords(`${file}:${line}`, blamed, claims));
  if (options.json === true) await terminal.print(`${JSON.stringify({ file, line, blamed, ...found })}\n`);
  else await terminal.print(`${lineageLines(`${file}:${line}`, blamed, found).join('\n')}\n`);
  return exits.ok;
};

interface Ground {
  /** Arguments of git that say in which repository. */
  readonly at: readonly string[];
  /** The id of a commit. */
  readonly rev: string;
  readonly path: string;
}

async function userDirectory({ place }: Context, file: string, rev = 'HEAD'): Promise<Ground> {
  const at = ['-C', here()];
  if ((await checkoutTop(place, here())) === null) {
    throw new Fault('not_a_repository', 'you are in no git repository: change to one, or name a run with --run');
  }
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`];
  const { status, stdout } = await userGit(place, [...at, ...args]);
  if (status !== 0) throw new Declined(`your repository has no commit "${rev}"`);
  return { at, rev: stdout.trim(), path: file };
}

/** Paths on the branch of a run are told from the top of the repository, also where the user is deeper in it. */
async function runDirectory(context: Context, file: string, word: string): Promise<Ground> {
  const { runId } = await find(context, word);
  const run = await context.client.get(`/runs/${runId}`, runView);
  const gitDir = run.tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir;
  if (run.branch === null || gitDir === undefined)
    throw new Declined(`no work of the run "${word}" has been integrated`);
  const { stdout } = await userGit(context.place, ['-C', here(), 'rev-parse', '--show-prefix']);
  return { at: ['--git-dir', gitDir], rev: run.branch.head, path: `${stdout.trim()}${file}` };
}

export interface Found {
  /** The commit that was integrated it, or the saved work itself. */
  readonly commit: string;
  readonly lineage: LineageView;
}

/** A message is anybody's word: what counts is what the record knows of that very commit. */
async function firstTrue({ client }: Context, claims: readonly Claim[]): Promise<Found | null> {
  for (const { commit, attemptId } of claims) {
    try {
      const lineage = await client.get(`/attempts/${attemptId}/lineage`, lineageView);
      if (lineage.commit === commit || lineage.integrated.includes(commit)) {
        return { commit: lineage.integrated.at(-1) ?? commit, lineage };
      }
    } catch (error) {
      if (!isFault(error, 'not_found')) throw error;
    }
  }
  return null;
}

function nobodyWords(where: string, { commit, summary }: Blamed, claims: readonly Claim[]): string {
  const made = `it was last changed by ${commit.slice(0, 12)} "${plainLine(summary)}"`;
  const [claim] = claims;
  if (claim === undefined) return `no integration made ${where}: ${made}, which is no work of Signalbox's`;
  const said = `${claim.commit.slice(0, 12)} says that it is of ${claim.attemptId}`;
  return `no integration that the record knows made ${where}: ${made}; ${said}, but the record has no such commit of it`;
}
