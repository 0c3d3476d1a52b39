// `signalbox land`: lands the integrated work of a run in a branch of the user's repository, or on a branch of its own.

import { userInfo } from 'node:os';
import { Fault } from '../../../std/fault.ts';
import { plainLine } from '../../../std/plain-text.ts';
import type { LandingView } from '../../../wire/landing-views.ts';
import { accepted, type RunView, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { defaultTarget } from '../../client/default-target.ts';
import { find } from '../../client/find-id.ts';
import { followEvents, sayReturn } from '../../client/follow-events.ts';
import { type HistoryOptions, landingHistory } from '../../client/landing-history.ts';
import { createTightness, type Stuck, stuckOn } from '../../client/stuck-run.ts';
import { createWaits } from '../../run/waits-for-people.ts';
import { createProgress } from '../../text/event-text.ts';
import { exitForLanding, landingText } from '../../text/landing-text.ts';
import { type OpenedPr, openPr } from './open-pr.ts';

export interface LandOptions extends HistoryOptions {
  readonly into?: string;
  readonly checkout?: boolean;
  readonly openPr?: boolean;
  readonly json?: boolean;
}

export const land: Verb<LandOptions> = async (context, [word = ''], options) => {
  const { client, terminal } = context;
  const { checkout = false, openPr: wantsPr = false } = options;
  if (checkout && wantsPr) throw new Fault('bad_request', '--open-pr does not move a branch: leave --checkout out');
  const { runId, taskId } = await find(context, word);
  const before = await client.get(`/runs/${runId}`, runView);
  const into = options.into ?? (await targetOf(context, before));
  // The only task of a run stands for the run.
  const task = taskId === null || before.tasks.length === 1 ? {} : { task: taskId };
  const order = { into, checkout, openPr: wantsPr, ...task, ...landingHistory(options), by: userInfo().username };
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
    await terminal.print(`${JSON.stringify({ runId, repo: run.repo.path, ...landing, pr: opened })}\n`);
  } else await tell(context, run, landing, opened);
  if (opened?.kind === 'by hand') return exits.person;
  return opened?.kind === 'failed' ? exits.failed : exitForLanding(landing);
};

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
