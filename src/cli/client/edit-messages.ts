// Lets a person reword the commits of a landing in their editor, one after the other, as git does: comment lines are left out,
// and an empty message cancels.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainLine } from '../../std/plain-text.ts';
import type { LandingPreview } from '../../wire/landing-views.ts';
import { Declined } from './client.ts';
import type { Place } from './context.ts';
import { gitEnvironment, userGit } from './user-git.ts';

/** By key: the messages that the person changed. */
export async function editMessages(place: Place, { root, commits }: LandingPreview): Promise<Record<string, string>> {
  const editor = (await userGit(place, ['-C', root, 'var', 'GIT_EDITOR'])).stdout.trim();
  const comment = await commentOf(place, root);
  const scratch = await mkdtemp(join(tmpdir(), 'signalbox-edit-'));
  // Editors recognise a commit message by this name.
  const file = join(scratch, 'COMMIT_EDITMSG');
  const changed: Record<string, string> = {};
  try {
    const editable = commits.filter(({ text }) => text !== null);
    for (const [at, { key, task, message }] of editable.entries()) {
      const what = task === null ? 'the merge commit' : `the work of "${plainLine(task)}"`;
      const hints = [
        `Commit ${at + 1} of ${editable.length}: ${what}.`,
        `Lines that begin with "${comment}" are left out. An empty message cancels the landing.`,
      ];
      await writeFile(file, `${message}\n${hints.map((hint) => `${comment} ${hint}\n`).join('')}`);
      await edit(place, editor, file);
      const text = cleaned(await readFile(file, 'utf8'), comment);
      if (text === '') throw new Declined('the message is empty: the landing is cancelled, and nothing was changed');
      if (text !== cleaned(message, comment)) changed[key] = `${text}\n`;
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return changed;
}

async function commentOf(place: Place, root: string): Promise<string> {
  const { stdout } = await userGit(place, ['-C', root, 'config', '--get', 'core.commentChar']);
  const char = stdout.trim();
  return char.length === 1 ? char : '#';
}

/** As git runs it: as a shell command. */
async function edit(place: Place, editor: string, file: string): Promise<void> {
  const child = spawn('sh', ['-c', `${editor} "$@"`, editor, file], { env: gitEnvironment(place), stdio: 'inherit' });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0)
    throw new Declined(`the editor "${plainLine(editor)}" failed: the landing is cancelled, and nothing was changed`);
}

function cleaned(text: string, comment: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(comment))
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
