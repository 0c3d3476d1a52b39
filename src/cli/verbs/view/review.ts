// `signalbox review`: what to know before taking the work. Text from agents is stripped of control characters.

import { plainLine, plainText, shownJson } from '../../../std/plain-text.ts';
import type { EvidenceView } from '../../../wire/evidence-views.ts';
import { runView } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { findOrNewest } from '../../client/find-id.ts';
import { openPage } from '../../terminal/pager.ts';
import type { ChangedFile } from '../../text/ask-text.ts';
import { wholeIs } from '../../text/cut-text.ts';
import { seconds } from '../../text/event-text.ts';
import { printedLines } from '../../text/evidence-text.ts';
import { landingText, overlapLines } from '../../text/landing-text.ts';
import { createPaint, type Paint } from '../../text/paint.ts';
import { gather, type Review, type ReviewedTask } from './review-gather.ts';

export const review: Verb<{ readonly json?: boolean }> = async (context, [word], { json }) => {
  const { client, terminal, place } = context;
  const { runId, taskId } = await findOrNewest(context, word);
  const gathered = await gather(context, await client.get(`/runs/${runId}`, runView), taskId);
  const commands = commandsFor(gathered, taskId);
  if (json === true) {
    const { run, tasks, files } = gathered;
    const { id, name, state, outcome, repo, branch, landing } = run;
    const told = { runId: id, name, state, outcome, repo, branch, landing, tasks, files, commands };
    await terminal.print(`${shownJson(told)}\n`);
    return exits.ok;
  }
  const page = process.stdout.isTTY ? await openPage(context) : null;
  const paint = createPaint(page !== null && place.look.colour);
  const lines = [...linesOf(gathered, taskId, paint), ...commands];
  for (const line of lines) {
    if (page === null) await terminal.print(`${line}\n`);
    else if (!(await page.print(`${line}\n`))) break;
  }
  await page?.close();
  return exits.ok;
};

function linesOf({ run, tasks, files }: Review, taskId: string | null, paint: Paint): string[] {
  const lines = [paint('bold', plainLine(`${run.name} (${run.id}): ${run.outcome ?? run.state}`)), ''];
  for (const task of tasks) lines.push(...taskLines(task, paint), '');
  if (files !== null) lines.push(paint('bold', `integrated in total: ${changedWords(files)}`), ...fileLines(files));
  // A landing is of the whole run, not of a task that may have failed.
  lines.push(...overlapLines(run.overlaps));
  if (run.landing !== null && taskId === null) lines.push(...landingText(run, run.landing));
  const unchecked = tasks.filter(lacksChecks);
  if (unchecked.length > 0) {
    lines.push(paint('yellow', plainLine(`not covered by any check: ${unchecked.map(({ name }) => name).join(', ')}`)));
  }
  return lines.at(-1) === '' ? lines : [...lines, ''];
}

function taskLines(task: ReviewedTask, paint: Paint): string[] {
  const { name, state, asked, files, evidence, notes, troubles } = task;
  return [
    paint('bold', plainLine(`${name}: ${state}`)),
    `  prompt: ${cut(plainLine(asked), lineMax)}`,
    `  changed: ${changedWords(files)}`,
    ...fileLines(files),
    ...evidence.flatMap((item) => [`  ${evidenceWords(item, paint)}`, ...printedLines(item, '    ')]),
    ...(lacksChecks(task) ? [paint('yellow', '  no check covers this work')] : []),
    ...notes.map((note) => `  note: ${plainLine(note)}`),
    ...troubles.map((trouble) => `  earlier failure: ${cut(plainLine(trouble), lineMax)}`),
    ...saidLines(task),
  ];
}

/** Work on which no check ran, not even one that failed. */
function lacksChecks({ files, checked }: ReviewedTask): boolean {
  return files.length > 0 && !checked;
}

function evidenceWords({ check, passed, detail, ms, runs, known }: EvidenceView, paint: Paint): string {
  const more = [
    ms === null ? '' : seconds(ms),
    runs !== null && runs > 1 ? `attempt ${runs}` : '',
    known ? 'cached' : '',
  ];
  const how = more.filter((word) => word !== '').join(', ');
  const words = plainLine(`${check}: ${detail}${how === '' ? '' : ` (${how})`}`);
  if (!passed) return paint('red', `failed  ${words}`);
  return runs !== null && runs > 1 ? paint('yellow', `flaky   ${words}`) : paint('green', `passed  ${words}`);
}

function changedWords(files: readonly ChangedFile[]): string {
  if (files.length === 0) return 'nothing';
  const sum = (of: 'added' | 'deleted'): number => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${sum('added')} -${sum('deleted')}`;
}

function fileLines(files: readonly ChangedFile[]): string[] {
  const shown = files.slice(0, filesMax).map(({ path, added, deleted }) => {
    return `    ${plainLine(path)} ${added === null ? 'binary' : `+${added} -${deleted}`}`;
  });
  return files.length > filesMax ? [...shown, `    and ${files.length - filesMax} more`] : shown;
}

/** The end of the last message, where the conclusion is. Says so if the journal has only its beginning. */
export function saidLines({ id, said, saidCut }: Pick<ReviewedTask, 'id' | 'said' | 'saidCut'>): string[] {
  const lines = plainText(said).trim().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const shown = lines.slice(-saidMax).map((line) => `    ${cut(line, lineMax)}`);
  const rest = saidCut ? [`   ${wholeIs(id)}`] : [];
  return ['  last message:', ...(lines.length > saidMax ? ['    …'] : []), ...shown, ...rest];
}

const filesMax = 20;
const saidMax = 10;
const lineMax = 200;

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

function commandsFor({ run }: Review, taskId: string | null): string[] {
  const id = taskId ?? run.id;
  const whole = [`land:   signalbox land ${run.id} --into <branch>`, `verify: signalbox verify ${run.id}`];
  return [`diff:   signalbox diff ${id}`, `take:   signalbox take ${id}`, ...(taskId === null ? whole : [])];
}
