// `signalbox rm`: removes an ended run with everything it left on the disk, or the workspaces of a task. Work that is in no
// branch of the user's is removed only by force.

import { Fault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type RunLeftView, reclaimedView, runLeftView, spaceView } from '../../../wire/space-views.ts';
import { accepted, type RunView, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { askYesNo } from '../../terminal/ask-yes-no.ts';
import { counted, removedLine, size } from './gc.ts';

export interface RmOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export const rm: Verb<RmOptions> = async (context, [word = ''], options) => {
  const { runId, taskId } = await find(context, word);
  const run = await context.client.get(`/runs/${runId}`, runView);
  // A run of one prompt has the name of its task.
  return taskId === null || run.name === word
    ? removeRun(context, run, options)
    : removeOf(context, run, taskId, options);
};

async function removeRun(context: Context, run: RunView, { yes, force = false, json }: RmOptions): Promise<number> {
  const { client, terminal } = context;
  if (run.state !== 'ended') throw notEnded(run.tasks.find(({ state }) => state !== 'ended') ?? run);
  const left = await client.get(`/runs/${run.id}/left`, runLeftView);
  for (const { name, why } of left.busy) terminal.note(`kept ${name}: ${why}`);
  const hindered = left.busy.length > 0 || (left.unlanded.length > 0 && !force);
  if (hindered) {
    if (left.unlanded.length > 0 && !force) terminal.note(unlandedWords(run, left));
    return exits.failed;
  }
  const asked = `Remove run ${plainLine(run.name)} with ${contentsWords(left, force)}?`;
  if (yes !== true && !(await askYesNo(asked))) {
    terminal.note(`Nothing is removed. To do it without a question: signalbox rm ${run.id} --yes`);
    return exits.usage;
  }
  await client.post(`/runs/${run.id}/remove`, { force }, accepted);
  if (json === true) await terminal.print(`${shownJson({ removed: run.id, ...left })}\n`);
  else await terminal.print(`Removed run ${plainLine(run.name)} with ${contentsWords(left, force)}.\n`);
  if (left.earlier > 0 && !force) terminal.note(earlierWords(left));
  return exits.ok;
}

function contentsWords({ workspaces, homes, launches, bytes, unlanded }: RunLeftView, force: boolean): string {
  const parts = [counted(workspaces, 'workspace'), counted(homes, 'agent home'), counted(launches, 'transcript')];
  const lost = force && unlanded.length > 0 ? `, and unlanded work of ${unlanded.map(plainLine).join(', ')}` : '';
  return `${parts.join(', ')} (${size(bytes)})${lost}`;
}

function unlandedWords({ name }: RunView, { unlanded }: RunLeftView): string {
  const whose = unlanded.map(plainLine).join(', ');
  const ways = `signalbox land ${plainLine(name)}, signalbox take <task>, or --force to remove it too`;
  return `Nothing is removed: the work of ${whose} is in no branch of yours. ${ways}`;
}

function earlierWords({ earlier }: RunLeftView): string {
  const what = earlier === 1 ? 'The work of 1 earlier attempt' : `The work of ${earlier} earlier attempts`;
  return `${what} did not land and stays in Signalbox's own repository; --force would have removed it too.`;
}

/** Of a task only the workspaces. */
async function removeOf(context: Context, run: RunView, taskId: string, { json }: RmOptions): Promise<number> {
  const { client, terminal } = context;
  const ended = attemptsOf(run, taskId);
  const { items } = await client.get('/space', spaceView);
  // Some may be gone, or reused by other attempts by now.
  const attempts = ended.filter((id) => items.some(({ kind, name }) => kind === 'workspace' && name === id));
  const { removed, kept } = await client.post('/space/reclaim', { attempts }, reclaimedView);
  if (json === true) await terminal.print(`${shownJson({ removed, kept })}\n`);
  else await terminal.print(removedLine(removed));
  for (const { name, why } of kept) terminal.note(`kept ${name}: ${why}`);
  return kept.length === 0 ? exits.ok : exits.failed;
}

function attemptsOf(run: RunView, taskId: string): string[] {
  const tasks = run.tasks.filter(({ id }) => id === taskId);
  const busy = tasks.find(({ state }) => state !== 'ended');
  if (busy !== undefined) throw notEnded(busy);
  return tasks.flatMap(({ id, attempts }) =>
    Array.from({ length: attempts }, (_, i) => `attempt_${id.replace(/^task_/, '')}-${i + 1}`),
  );
}

function notEnded({ id, name }: { readonly id: string; readonly name: string }): Fault {
  return new Fault('bad_request', `"${name}" has not ended: stop it first with "signalbox stop ${id}"`);
}
