// Signs the commits of a landing as the user's git is configured to, in the process of the person who lands: the daemon has
// no key of theirs. Only objects are added to the repository; the daemon compares them with what it prepared.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { plainLine } from '../../std/plain-text.ts';
import type { LandingPreview } from '../../wire/landing-views.ts';
import type { Place } from './context.ts';
import { gitEnvironment, userGit } from './user-git.ts';

/** Whether the user's git signs commits in that repository. */
export async function signsCommits(place: Place, repo: string): Promise<boolean> {
  const args = ['-C', repo, 'config', '--type=bool', '--get', 'commit.gpgSign'];
  return (await userGit(place, args)).stdout.trim() === 'true';
}

/** Returns the last commit in its signed form. */
export async function signCommits(place: Place, { root, gitDir, commit, commits }: LandingPreview): Promise<string> {
  const fetch = ['-C', root, '-c', 'protocol.version=2', 'fetch', ...quietly, gitDir, commit];
  const fetched = await userGit(place, fetch);
  if (fetched.status !== 0)
    throw new Fault('git_failed', `git could not bring the commits into ${root}: ${plainLine(fetched.stderr)}`);
  const scratch = await mkdtemp(join(tmpdir(), 'signalbox-sign-'));
  try {
    const copies = new Map<string, string>();
    for (const each of commits) {
      const message = join(scratch, 'message');
      copies.set(
        each.commit,
        each.text === null ? each.commit : await signOne(place, root, each.text, copies, message),
      );
    }
    return copies.get(commit) ?? commit;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance'];

async function signOne(
  place: Place,
  root: string,
  text: string,
  copies: ReadonlyMap<string, string>,
  file: string,
): Promise<string> {
  const end = text.indexOf('\n\n');
  const headers = text.slice(0, end).split('\n');
  const valuesOf = (name: string): string[] =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  await writeFile(file, text.slice(end + 2));
  const parents = valuesOf('parent').flatMap((id) => ['-p', copies.get(id) ?? id]);
  const [tree = ''] = valuesOf('tree');
  const args = ['-C', root, '-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', '-S', tree, ...parents, '-F', file];
  const people = { ...personOf('AUTHOR', valuesOf('author')[0]), ...personOf('COMMITTER', valuesOf('committer')[0]) };
  // It has the terminal, where it asks for a passphrase.
  const child = spawn('git', args, {
    env: { ...gitEnvironment(place), ...people },
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === 0) return stdout.trim();
  throw new Fault('git_failed', `your git could not sign the commits, so nothing was landed: ${plainLine(stderr)}`);
}

function personOf(role: 'AUTHOR' | 'COMMITTER', person = ''): Record<string, string> {
  const [, name = '', email = '', seconds = '', zone = ''] = /^(.*) <(.*)> (\d+) ([+-]\d{4})$/.exec(person) ?? [];
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: email, [`GIT_${role}_DATE`]: `@${seconds} ${zone}` };
}
