// `signalbox diff`: what a task or run changed. Paged and stripped of control characters on a terminal; elsewhere byte for
// byte, so that `git apply` can read it.

import { Fault } from '../../../std/fault.ts';
import { createLineSplitter } from '../../../std/lines.ts';
import { plainText, shownJson } from '../../../std/plain-text.ts';
import { changedFiles, diffArgs } from '../../client/changed-files.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { findSavedWork, type SavedWork } from '../../client/saved-work.ts';
import { type GitChild, gitEnd, startGit } from '../../client/user-git.ts';
import { openPage, type Page } from '../../terminal/pager.ts';
import type { ChangedFile } from '../../text/ask-text.ts';
import { createPaint, type Paint } from '../../text/paint.ts';

export interface DiffOptions {
  readonly stat?: boolean;
  readonly json?: boolean;
}

export const diff: Verb<DiffOptions> = async (context, [word], { stat, json }) => {
  const { terminal, place } = context;
  const work = await findSavedWork(context, word);
  if (json === true) {
    await terminal.print(`${shownJson(await changes(context, work))}\n`);
    return exits.ok;
  }
  const page = process.stdout.isTTY ? await openPage(context) : null;
  // Start reading at once: unread output is lost when git exits.
  const child = startGit(place, diffArgs(work, stat === true ? ['--stat=120'] : []));
  const end = gitEnd(child);
  if (page !== null) await paged(page, createPaint(place.look.colour), child);
  else for await (const chunk of child.stdout as AsyncIterable<Buffer>) await terminal.print(chunk);
  const { status, stderr } = await end;
  // A pager that was closed ends git by a signal.
  if (status !== 0 && status !== null) throw new Fault('git_failed', `git diff failed: ${stderr}`);
  if (work.commit === work.base) terminal.note(`${work.task?.name ?? work.run.name} changed nothing.`);
  return exits.ok;
};

async function paged(page: Page, paint: Paint, child: GitChild): Promise<void> {
  const splitter = createLineSplitter(0);
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    let wanted = true;
    for (const { text } of splitter.push(chunk)) wanted = await page.print(`${painted(plainText(text), paint)}\n`);
    if (!wanted) {
      child.kill('SIGTERM');
      break;
    }
  }
  await page.close();
}

function painted(line: string, paint: Paint): string {
  if (/^(diff |index |\+\+\+ |--- )/.test(line)) return paint('bold', line);
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}

interface Changes {
  readonly runId: string;
  /** null: all integrated work of the run. */
  readonly taskId: string | null;
  readonly base: string;
  readonly commit: string;
  readonly ref: string;
  readonly gitDir: string;
  readonly files: readonly ChangedFile[];
}

async function changes({ place }: Context, work: SavedWork): Promise<Changes> {
  const { run, task, base, commit, ref, gitDir } = work;
  const files = await changedFiles(place, work);
  return { runId: run.id, taskId: task?.id ?? null, base, commit, ref, gitDir, files };
}
