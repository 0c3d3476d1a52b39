// What a task or run changed: files with line counts, by git.

import { Fault } from '../../std/fault.ts';
import type { RunView } from '../../wire/views.ts';
import type { ChangedFile } from '../text/ask-text.ts';
import type { Change } from '../text/run-end.ts';
import type { Place } from './context.ts';
import type { SavedWork } from './saved-work.ts';
import { userGit } from './user-git.ts';

type Compared = Pick<SavedWork, 'gitDir' | 'base' | 'commit'>;

/** Never runs a diff or textconv program that an agent could have configured. */
export function diffArgs({ gitDir, base, commit }: Compared, how: readonly string[]): string[] {
  return ['--git-dir', gitDir, 'diff', '--no-ext-diff', '--no-textconv', '--no-color', ...how, base, commit, '--'];
}

export async function changedFiles(place: Place, work: Compared): Promise<readonly ChangedFile[]> {
  const { status, stdout, stderr } = await userGit(place, diffArgs(work, ['--numstat', '-z', '--no-renames']));
  if (status !== 0) throw new Fault('git_failed', `git diff failed: ${stderr}`);
  return stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [added, deleted, ...path] = entry.split('\t');
      return { path: path.join('\t'), added: countOf(added), deleted: countOf(deleted) };
    });
}

function countOf(text: string | undefined): number | null {
  return text === undefined || text === '-' ? null : Number(text);
}

/** Of every task whose work is saved; a few at a time, because each starts git. */
export async function changesOf(
  place: Place,
  tasks: readonly RunView['tasks'][number][],
): Promise<Map<string, Change>> {
  const changes = new Map<string, Change>();
  const left = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      const { ref = null, commit = null, base = null, gitDir = '' } = task.attempt ?? {};
      if (ref === null || commit === null || base === null) continue;
      const files = commit === base ? [] : await changedFiles(place, { gitDir, base, commit }).catch(() => null);
      if (files !== null) changes.set(task.id, changeOf(files));
    }
  };
  await Promise.all(Array.from({ length: gitsMax }, work));
  return changes;
}

const gitsMax = 4;

function changeOf(files: readonly ChangedFile[]): Change {
  const sum = (of: 'added' | 'deleted'): number => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return { files: files.length, added: sum('added'), deleted: sum('deleted') };
}
