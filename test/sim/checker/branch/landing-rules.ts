// Rules on the user's branches: one is moved only for a landing that was asked for, from where it was, to a commit that
// passed on exactly its tree, and gets the same work once. What the record says of it is what happened.

import type { WorldEntry } from '../../world/world-entries.ts';
import type { Data } from '../view/event-data.ts';
import { blame, type RunView, type Scene } from '../view/view.ts';

type Of<Kind extends WorldEntry['kind']> = Extract<WorldEntry, { kind: Kind }>;

export interface LandingView {
  readonly n: number;
  readonly into: string | null;
  readonly openPr: boolean;
  /** How it ended by the record, and whether that is what was asked for. */
  outcome: string | null;
  asAsked: boolean;
  /** Where the branch really came by it. */
  movedTo: string | null;
}

export function landingEvent(scene: Scene, run: RunView, type: string, data: Data): void {
  const { landing } = run;
  if (type === 'landing.asked') return askLanding(scene, run, data);
  if (landing === null || landing.n !== data.n || landing.outcome !== null) {
    return blame(scene, 2, `${type} ${data.n} of ${run.id}, which has no such landing under way`);
  }
  if (type !== 'landing.ended') return;
  if (typeof data.outcome !== 'object') return blame(scene, 2, `a landing of ${run.id} ended without an outcome`);
  const { kind, commit } = data.outcome;
  const { movedTo, into, openPr } = landing;
  const isThere = scene.targets.get(into ?? '')?.heads.has(run.head) === true;
  if (kind === 'landed' && !isThere) blame(scene, 3, `${run.id} is recorded as landed into ${into}, and is not there`);
  if (kind === 'landed' && movedTo !== null && !scene.targetCommits.get(commit ?? '')?.has(run.head)) {
    blame(scene, 3, `${run.id} is recorded as landed by ${commit}, the branch was moved to ${movedTo}`);
  }
  if (kind !== 'landed' && movedTo !== null) {
    blame(scene, 3, `the landing of ${run.id} is recorded as ${kind}, and ${into} has it`);
  }
  run.hasLanded = true;
  landing.outcome = kind;
  landing.asAsked = kind === 'landed' || (kind === 'aside' && (into === null || openPr));
}

function askLanding(scene: Scene, run: RunView, data: Data): void {
  const { into = null, openPr = false, n = 0 } = data;
  if (run.state !== 'running' && run.state !== 'ended') {
    blame(scene, 2, `${run.id} is to be landed while it is ${run.state}`);
  }
  if (run.state === 'running') {
    // What was asked for otherwise and did not come about is done again.
    if (into !== run.into && into !== run.landing?.into)
      blame(scene, 7, `${run.id} goes into ${into}, ${run.into} was asked for`);
    const planned = run.tasks.filter(({ spawning }) => spawning.asker === null);
    const open = planned.find(({ outcome }) => outcome !== 'succeeded' && outcome !== 'omitted');
    if (open !== undefined) blame(scene, 4, `${run.id} is landed although ${open.id} is ${open.outcome}`);
  }
  if (n !== run.landings + 1) blame(scene, 2, `landing ${n} of ${run.id} follows ${run.landings}`);
  if (run.head === run.base) blame(scene, 4, `${run.id} is to be landed, and nothing has landed`);
  run.landings = n;
  run.state = 'landing';
  run.landing = { n, into, openPr, outcome: null, asAsked: false, movedTo: null };
}

/** What the outcome of a run is, when that of its tasks is this. */
export function outcomeLanded(scene: Scene, run: RunView, ofTasks: string): string {
  const { landing, into, head, base, integrates } = run;
  if (landing !== null && landing.outcome === null)
    blame(scene, 3, `${run.id} is ended while its landing is under way`);
  if (ofTasks !== 'succeeded') return ofTasks;
  if (run.hasLanded) return landing?.asAsked === true ? 'succeeded' : notAsAsked(landing);
  if (into === null || !integrates || head === base) return 'succeeded';
  return run.state === 'stopping' ? 'stopped' : `to be landed into ${into}`;
}

function notAsAsked(landing: LandingView | null): string {
  return landing?.outcome === 'stopped' ? 'stopped' : 'partial';
}

export function targetMoved(scene: Scene, { runId, n, branch, from, to, head }: Of<'targetMoved'>): void {
  const run = scene.runs.get(runId);
  const landing = run?.landing ?? null;
  const target = scene.targets.get(branch) ?? { at: 'target', heads: new Set<string>() };
  if (run === undefined || landing === null || landing.n !== n || landing.outcome !== null) {
    blame(scene, 4, `${branch} was moved for landing ${n} of ${runId}, which is not known to be under way`);
  } else {
    if (landing.into !== branch) blame(scene, 7, `${branch} was moved for ${runId}, which goes into ${landing.into}`);
    if (head !== run.head) blame(scene, 4, `${branch} got ${head} of ${runId}, whose branch is at ${run.head}`);
    landing.movedTo = to;
  }
  if (scene.targetChecks.get(to) !== true) blame(scene, 4, `${branch} was moved to ${to}, which has not passed`);
  if (from !== target.at) blame(scene, 4, `${branch} was moved from ${from}, it was at ${target.at}`);
  if (target.heads.has(head)) blame(scene, 4, `${branch} got ${head} of ${runId} twice`);
  const heads = new Set([...target.heads, head]);
  scene.targets.set(branch, { at: to, heads });
  scene.targetCommits.set(to, heads);
}

export function targetMovedByOthers(scene: Scene, { branch, to }: Of<'targetMovedByOthers'>): void {
  const heads = scene.targets.get(branch)?.heads ?? new Set<string>();
  scene.targets.set(branch, { at: to, heads });
  scene.targetCommits.set(to, heads);
}
