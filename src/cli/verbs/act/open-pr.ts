// Opens a pull request for work on a branch of its own: pushes with the user's git and calls the user's `gh`. Runs as the
// user in this process, never in the daemon.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { errnoOf } from '../../../std/files.ts';
import { plainLine, plainText } from '../../../std/plain-text.ts';
import { shellQuote } from '../../../std/shell-quote.ts';
import type { LandingView } from '../../../wire/landing-views.ts';
import { shownTasks } from '../../../wire/shown-tasks.ts';
import type { RunView } from '../../../wire/views.ts';
import type { Context, Place } from '../../client/context.ts';
import { userGit } from '../../client/user-git.ts';
import { taskWords } from '../../text/summary.ts';

export type OpenedPr =
  | { readonly kind: 'opened'; readonly url: string }
  /** A tool is missing; the text says what to do instead. */
  | { readonly kind: 'by hand'; readonly words: string }
  | { readonly kind: 'failed'; readonly words: string };

export async function openPr(context: Context, run: RunView, landing: LandingView): Promise<OpenedPr> {
  const { place } = context;
  const { outcome, into } = landing;
  if (outcome?.kind !== 'aside' || into === null) throw new Error('a pull request needs work on a branch of its own');
  const { branch } = outcome;
  const repo = run.repo.path;
  const remote = await remoteOf(place, repo, into);
  if (remote === null) {
    return { kind: 'by hand', words: `${plainLine(repo)} has no remote to push to: add one with "git remote add"` };
  }
  const push = ['push', remote, `refs/heads/${branch}:refs/heads/${branch}`];
  const byHand = `git -C ${shellQuote(repo)} ${push.map(shellQuote).join(' ')}, then open the pull request where it is hosted`;
  if ((await gh(place, repo, ['--version'], '')) === null) {
    return {
      kind: 'by hand',
      words: plainLine(`gh is not on your PATH, so nothing was pushed. To do it by hand: ${byHand}`),
    };
  }
  const pushed = await userGit(place, ['-C', repo, ...push]);
  if (pushed.status !== 0) return { kind: 'failed', words: plainLine(`git could not push: ${pushed.stderr}`) };
  const args = ['pr', 'create', '--base', into, '--head', branch, '--title', plainLine(run.name), '--body-file', '-'];
  const made = await gh(place, repo, args, bodyOf(run, landing));
  const url = /https?:\/\/\S+/.exec(`${made?.stdout} ${made?.stderr}`)?.[0] ?? '';
  // The pull request exists already; the push added the new commits.
  if (made?.status === 0 || /already exists/.test(made?.stderr ?? '')) return { kind: 'opened', url: plainLine(url) };
  return {
    kind: 'failed',
    words: plainLine(`${branch} was pushed to ${remote}; gh could not open it: ${made?.stderr}`),
  };
}

/** The remote of the branch, else `origin`, else the only one. */
async function remoteOf(place: Place, repo: string, branch: string): Promise<string | null> {
  const own = await userGit(place, ['-C', repo, 'config', '--get', `branch.${branch}.remote`]);
  if (own.status === 0 && own.stdout.trim() !== '.') return own.stdout.trim();
  const names = (await userGit(place, ['-C', repo, 'remote'])).stdout.split('\n').filter((name) => name !== '');
  return names.find((name) => name === 'origin') ?? (names.length === 1 ? (names[0] ?? null) : null);
}

function bodyOf(run: RunView, { outcome }: LandingView): string {
  const tasks = shownTasks(run).map((task) => `- **${plainLine(task.name)}**: ${taskWords(task)}`);
  const checks = shownTasks(run).flatMap(({ attempt }) => attempt?.checks ?? []);
  const passed = [...new Set(checks.filter((item) => item.passed).map(({ check }) => plainLine(check)))];
  const lines = [
    `Made by Signalbox run \`${plainLine(run.name)}\` (\`${run.id}\`).`,
    '',
    ...tasks,
    '',
    passed.length === 0 ? 'No check ran on this work.' : `Checks passed: ${passed.join(', ')}.`,
    outcome?.kind === 'aside' ? `Commit \`${outcome.commit}\`.` : '',
  ];
  return plainText(`${lines.join('\n').trimEnd()}\n`);
}

interface GhEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** null: gh is not installed. */
async function gh(place: Place, cwd: string, args: readonly string[], input: string): Promise<GhEnd | null> {
  const child = spawn('gh', args, { cwd, env: place.userEnv, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // gh may exit before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stdout, stderr: stderr.trim() };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
