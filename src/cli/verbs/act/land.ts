// `signalbox land`: lands the integrated work of a run in a branch of the user's repository, or on a branch of its own.

import { userInfo } from 'node:os';
import { defined } from '../../../std/defined.ts';
import { Fault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type LandingPreview, type LandingView, landingPreview } from '../../../wire/landing-views.ts';
import { accepted, type RunView, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { defaultTarget } from '../../client/default-target.ts';
import { editMessages } from '../../client/edit-messages.ts';
import { findOrNewest } from '../../client/find-id.ts';
import { followEvents, sayReturn } from '../../client/follow-events.ts';
import {
  configuredHistory,
  type HistoryOptions,
  type HistoryRequest,
  landingHistory,
} from '../../client/landing-history.ts';
import { signCommits, signsCommits } from '../../client/sign-commits.ts';
import { createTightness, type Stuck, stuckOn } from '../../client/stuck-run.ts';
import { configurationHere } from '../../run/configuration-here.ts';
import { createWaits } from '../../run/waits-for-people.ts';
import { createProgress } from '../../text/event-text.ts';
import { exitForLanding, landingText, overlapLines } from '../../text/landing-text.ts';
import { type OpenedPr, openPr } from './open-pr.ts';

export interface LandOptions extends HistoryOptions {
  readonly into?: string;
  readonly checkout?: boolean;
  readonly openPr?: boolean;
  readonly edit?: boolean;
  readonly json?: boolean;
}

export const land: Verb<LandOptions> = async (context, [word], options) => {
  const { client, terminal } = context;
  const { openPr: wantsPr = false } = options;
  const checkout = options.checkout ?? !wantsPr;
  if (checkout && wantsPr) throw new Fault('bad_request', '--open-pr does not move a branch: leave --checkout out');
  const { runId, taskId } = await findOrNewest(context, word);
  const before = await client.get(`/runs/${runId}`, runView);
  for (const line of overlapLines(before.overlaps)) terminal.note(line);
  const into = options.into ?? (await targetOf(context, before));
  // The only task of a run stands for the run.
  const task = taskId === null || before.tasks.length === 1 ? {} : { task: taskId };
  const asked = { into, checkout, openPr: wantsPr, ...task, by: userInfo().username };
  const order = { ...asked, ...(await preparedHistory(context, before, asked, options)) };
  await client.post(`/runs/${runId}/land`, order, accepted);
  const end = await ended(context, before);
  if ('words' in end) {
    terminal.note(`${end.words}\nThen it is landed.`);
    return end.exit;
  }
  const { run, landing } = end;
  const isAside = landing.outcome?.kind === 'aside' && landing.asAsked;
  const opened = wantsPr && isAside ? await openPr(context, run, landing) : null;
  if (options.json === true) {
    await terminal.print(`${shownJson({ runId, repo: run.repo.path, ...landing, pr: opened })}\n`);
  } else await tell(context, run, landing, opened);
  if (opened?.kind === 'by hand') return exits.person;
  return opened?.kind === 'failed' ? exits.failed : exitForLanding(landing);
};

/** With the messages that the person wrote, and their signatures where they sign. */
async function preparedHistory(
  context: Context,
  { id, repo, state }: RunView,
  asked: object,
  options: LandOptions,
): Promise<{ readonly history?: HistoryRequest }> {
  const { client, place } = context;
  const { values } = await configurationHere(context, repo.path);
  const said = landingHistory(options, configuredHistory(values));
  const signs = await signsCommits(place, repo.path);
  // The landing itself says what is wrong with a run that has not ended.
  if (state !== 'ended' || (options.edit !== true && !signs)) return said;
  const look = async (history: HistoryRequest | undefined): Promise<LandingPreview | null> =>
    (await client.post(`/runs/${id}/land/preview`, { ...asked, ...defined({ history }) }, landingPreview)).preview;
  const shown = await look(said.history);
  if (shown === null) return said;
  const messages = options.edit === true ? await editMessages(place, shown) : {};
  const history = Object.keys(messages).length === 0 ? said.history : { ...said.history, messages };
  if (!signs) return defined({ history });
  const preview = await look(history);
  if (preview === null) return defined({ history });
  return { history: { ...history, signed: { commit: preview.commit, as: await signCommits(place, preview) } } };
}

async function targetOf({ place, terminal }: Context, run: RunView): Promise<string> {
  const { branch, why } = await defaultTarget(place, run);
  terminal.note(plainLine(`into ${branch}: ${why}; another: --into <branch>`));
  return branch;
}

/** The landing may already be under way. An agent that resolves a conflict may need a person first. */
async function ended(
  { client, terminal }: Context,
  before: RunView,
): Promise<{ run: RunView; landing: LandingView } | Stuck> {
  const leave = new AbortController();
  process.once('SIGINT', () => leave.abort());
  const options = { after: 0, follow: true, signal: leave.signal, onReturn: sayReturn(terminal.note) };
  const progress = createProgress(before.tasks.map(({ name }) => name));
  const [waits, isTight] = [createWaits(), createTightness()];
  const look = (): Promise<RunView> => client.get(`/runs/${before.id}`, runView);
  let isSentBack = false;
  const since = before.state === 'ended' ? before.seq : 0;
  try {
    for await (const { seq, event } of followEvents(client, before.id, options)) {
      const line = progress(event);
      isSentBack ||= seq > since && event.type === 'landing.sentBack';
      if (seq > since && line !== null && (isSentBack || event.type.startsWith('landing.'))) terminal.note(line);
      const stuck = [waits(event), isTight(event)].includes(true) && isSentBack ? stuckOn(await look()) : null;
      if (stuck !== null) return stuck;
      if (event.type === 'run.ended' && seq > before.seq) break;
    }
  } catch (error) {
    if (!leave.signal.aborted) throw error;
    throw new Fault(
      'stopped',
      `the landing continues without this terminal; watch it: signalbox queue; stop it: signalbox stop ${before.id}`,
    );
  }
  const run = await look();
  if (run.landing === null)
    throw new Fault('bad_request', 'the daemon is older than this program: run "signalbox down" and try again');
  return { run, landing: run.landing };
}

async function tell({ terminal }: Context, run: RunView, landing: LandingView, pr: OpenedPr | null): Promise<void> {
  const [first = '', ...more] = landingText(run, landing);
  await terminal.print(`${first}\n`);
  for (const line of more) terminal.note(line);
  if (pr?.kind === 'opened') await terminal.print(`${pr.url}\n`);
  else if (pr !== null) terminal.note(pr.words);
}
