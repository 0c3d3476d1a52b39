// Rules on the user's branches: one is moved only for a landing that was asked for, from where it was, to a commit whose exact
// tree passed, and gets the same work once. What the journal says of it is what happened.

import type { WorldEntry } from '../../world/world-entries.ts';
import type { Data } from '../view/event-data.ts';
import type { RunView } from '../view/run-view.ts';
import { blame, type View } from '../view/view.ts';

type Of<Kind extends WorldEntry['kind']> = Extract<WorldEntry, { kind: Kind }>;

export interface LandingView {
  readonly n: number;
  readonly into: string | null;
  readonly openPr: boolean;
  /** How it ended by the journal, and whether that is what was asked for. */
  outcome: string | null;
  asAsked: boolean;
  /** Where the branch really came by it. */
  movedTo: string | null;
}

export function landingEvent(view: View, run: RunView, type: string, data: Data): void {
  const { landing } = run;
  if (type === 'landing.asked') return askLanding(view, run, data);
  if (landing === null || landing.n !== data.n || landing.outcome !== null) {
    return blame(view, 2, `${type} ${data.n} of ${run.id}, which has no such landing under way`);
  }
  if (type !== 'landing.ended') return;
  if (typeof data.outcome !== 'object') return blame(view, 2, `a landing of ${run.id} ended without an outcome`);
  const { kind, commit } = data.outcome;
  const { movedTo, into, openPr } = landing;
  const isThere = view.targets.get(into ?? '')?.heads.has(run.head) === true;
  if (kind === 'landed' && !isThere) blame(view, 3, `${run.id} is recorded as landed into ${into}, and is not there`);
  if (kind === 'landed' && movedTo !== null && !view.targetCommits.get(commit ?? '')?.has(run.head)) {
    blame(view, 3, `${run.id} is recorded as landed by ${commit}, the branch was moved to ${movedTo}`);
  }
  if (kind !== 'landed' && movedTo !== null) {
    blame(view, 3, `the landing of ${run.id} is recorded as ${kind}, and ${into} has it`);
  }
  run.hasLanded = true;
  landing.outcome = kind;
  landing.asAsked = kind === 'landed' || (kind === 'aside' && (into === null || openPr));
}

function askLanding(view: View, run: RunView, data: Data): void {
  const { into = null, openPr = false, n = 0 } = data;
  if (run.state !== 'running' && run.state !== 'ended') {
    blame(view, 2, `${run.id} is to be landed while it is ${run.state}`);
  }
  if (run.state === 'running') {
    // A landing that was asked for differently and did not succeed is repeated.
    if (into !== run.into && into !== run.landing?.into)
      blame(view, 7, `${run.id} goes into ${into}, ${run.into} was asked for`);
    const planned = run.tasks.filter(({ spawning }) => spawning.asker === null);
    const open = planned.find(({ outcome }) => outcome !== 'succeeded' && outcome !== 'omitted');
    if (open !== undefined) blame(view, 4, `${run.id} is landed although ${open.id} is ${open.outcome}`);
  }
  if (n !== run.landings + 1) blame(view, 2, `landing ${n} of ${run.id} follows ${run.landings}`);
  if (run.head === run.base) blame(view, 4, `${run.id} is to be landed, and nothing has landed`);
  run.landings = n;
  run.state = 'landing';
  run.landing = { n, into, openPr, outcome: null, asAsked: false, movedTo: null };
}

/** What the outcome of a run is, when that of its tasks is this. */
export function outcomeLanded(view: View, run: RunView, ofTasks: string): string {
  const { landing, into, head, base, integrates } = run;
  if (landing !== null && landing.outcome === null) blame(view, 3, `${run.id} is ended while its landing is under way`);
  if (ofTasks !== 'succeeded') return ofTasks;
  if (run.hasLanded) return landing?.asAsked === true ? 'succeeded' : notAsAsked(landing);
  if (into === null || !integrates || head === base) return 'succeeded';
  return run.state === 'stopping' ? 'stopped' : `to be landed into ${into}`;
}

/** Merged and tested work that waits for a checkout is done; anything else is not. */
function notAsAsked(landing: LandingView | null): string {
  if (landing?.outcome === 'aside') return 'succeeded';
  return landing?.outcome === 'stopped' ? 'stopped' : 'partial';
}

export function targetMoved(view: View, { runId, n, branch, from, to, head }: Of<'targetMoved'>): void {
  const run = view.runs.get(runId);
  const landing = run?.landing ?? null;
  const target = view.targets.get(branch) ?? { at: 'target', heads: new Set<string>() };
  if (run === undefined || landing === null || landing.n !== n || landing.outcome !== null) {
    blame(view, 4, `${branch} was moved for landing ${n} of ${runId}, which is not known to be under way`);
  } else {
    if (landing.into !== branch) blame(view, 7, `${branch} was moved for ${runId}, which goes into ${landing.into}`);
    if (head !== run.head) blame(view, 4, `${branch} got ${head} of ${runId}, whose branch is at ${run.head}`);
    landing.movedTo = to;
  }
  if (view.targetChecks.get(to) !== true) blame(view, 4, `${branch} was moved to ${to}, which has not passed`);
  if (from !== target.at) blame(view, 4, `${branch} was moved from ${from}, it was at ${target.at}`);
  if (target.heads.has(head)) blame(view, 4, `${branch} got ${head} of ${runId} twice`);
  const heads = new Set([...target.heads, head]);
  view.targets.set(branch, { at: to, heads });
  view.targetCommits.set(to, heads);
}

export function targetMovedByOthers(view: View, { branch, to }: Of<'targetMovedByOthers'>): void {
  const heads = view.targets.get(branch)?.heads ?? new Set<string>();
  view.targets.set(branch, { at: to, heads });
  view.targetCommits.set(to, heads);
}
