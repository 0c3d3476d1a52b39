// View of a run, derived from the state on every request. Decides nothing.

import type { Ledger } from '../../engine/state-cache.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import { type LaunchId, launchId } from '../../model/core/ids.ts';
import { pauseOf } from '../../model/core/pause.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { RunSpec } from '../../model/core/spec.ts';
import { waitOf } from '../../model/dispatch/find-wait.ts';
import { batchMax, integrationQueue } from '../../model/integrate/integration-queue.ts';
import { type Scene, sceneOf } from '../../model/parking/admit.ts';
import type { Progress } from '../../model/session/agent-activity.ts';
import { type UsageNow, usageNow } from '../../model/spending/underway.ts';
import { must } from '../../std/assert.ts';
import type { AttemptView, ProgressView, RunView, TaskView } from '../../wire/views.ts';
import { viewRunAsks, viewTaskAsks } from './ask-view.ts';
import { isOutOfBudget, viewExhausted, viewRunLimits } from './budget-view.ts';
import { viewReached, viewRests, viewTold } from './children-view.ts';
import { viewEvidence } from './evidence-view.ts';
import { viewLanding } from './landing-view.ts';
import { viewMissing } from './missing-work.ts';
import { liveMetered, viewUsage } from './usage-view.ts';

export interface ViewSource {
  /** A port on which the attempt listens, by attempt. */
  readonly usedPorts: ReadonlyMap<string, number>;
  /** The repository that holds an attempt's work. */
  gitDir(attemptId: string): string;
  /** The ref of a run's branch in that repository. */
  branchRef(runId: string): string;
  progress(launchId: LaunchId): Progress | null;
  /** How a person opens an agent's session; null = impossible. */
  reopen(harness: string, agent: { readonly id: string; readonly session: string }, cwd: string): AttemptView['reopen'];
}

/** For views that need only the journal, nothing of this machine. */
export const bareSource: ViewSource = {
  usedPorts: new Map(),
  gitDir: () => '',
  branchRef: () => '',
  progress: () => null,
  reopen: () => null,
};

export function viewRun(run: Run, all: Pick<Ledger, 'host' | 'runs'>, source: ViewSource): RunView {
  const spec = must(run.spec, 'a run that can be seen is created');
  const now = Date.now();
  const scene = sceneOf(all.host, all.runs.values(), now);
  const meteredOf = liveMetered(source.progress);
  const used = usageNow(run, meteredOf, now);
  return {
    id: spec.id,
    name: spec.name,
    seq: run.seq,
    state: run.state,
    outcome: run.outcome,
    createdAt: run.createdAt,
    endedAt: run.endedAt,
    removedBy: run.removedBy,
    repo: { path: spec.repo.path, base: spec.repo.base, branch: spec.repo.branch ?? null },
    branch: viewBranch(run, spec, source),
    overlaps: run.integration.overlaps.map((each) => ({ ...each, paths: [...each.paths] })),
    landing: viewLanding(run.landing),
    into: spec.into ?? null,
    paused: viewPause(run),
    usage: viewUsage(used.run, run.agents.size > 0),
    missing: viewMissing(run),
    budget: viewRunLimits(run, now, meteredOf),
    reached: viewReached(run),
    asks: viewRunAsks(run, viewExhausted(run, all, Date.now())),
    tasks: Array.from(run.tasks.values(), (task) => viewTask(run, task, { scene, used }, source)),
  };
}

function viewPause(run: Run): RunView['paused'] {
  const pause = run.state === 'ended' ? null : pauseOf(run);
  return pause === null ? null : { of: pause.of, by: pause.by, since: pause.at };
}

/** null while nothing is integrated; the ref may not exist then. */
function viewBranch(
  { integration: { head } }: Run,
  { id, repo: { base } }: RunSpec,
  source: ViewSource,
): RunView['branch'] {
  return head === base ? null : { ref: source.branchRef(id), head, base };
}

interface Moment {
  readonly scene: Scene;
  readonly used: UsageNow;
}

function viewTask(run: Run, task: Task, { scene, used }: Moment, source: ViewSource): TaskView {
  const {
    spec,
    state,
    outcome,
    tries: { attempts, lastFailure },
    attempt,
  } = task;
  return {
    id: spec.id,
    name: spec.name,
    kind: spec.kind,
    parent: spec.parent,
    phase: spec.phase,
    state,
    needs: spec.needs.map((id) => must(run.tasks.get(id), 'a need is in the run').spec.name),
    wait: waitOf(run, task, scene),
    outOfBudget: isOutOfBudget(run, task, scene.now),
    endedAt: task.endedAt,
    attempts,
    attempt: attempt === null ? null : viewAttempt(attempt, run, task, source),
    progress: viewProgress(attempt, source),
    told: viewTold(run, task),
    rests: viewRests(run, task),
    asks: viewTaskAsks(run, task, source.gitDir),
    outcome,
    ...viewOutput(task),
    lastFailure,
    usage: viewUsage(used.of(spec.id), attempts > 0),
  };
}

/** Long outputs are left out so that a run of many tasks fits one answer. */
const outputShownMax = 4_000;

function viewOutput({ output }: Task): Pick<TaskView, 'output' | 'outputLength'> {
  const outputLength = output === null ? 0 : JSON.stringify(output).length;
  return { output: outputLength > outputShownMax ? null : output, outputLength };
}

function viewProgress(attempt: Attempt | null, source: ViewSource): ProgressView | null {
  const progress = attempt?.launches.current?.state === 'live' ? source.progress(attempt.launches.current.id) : null;
  if (progress === null) return null;
  const { background, compactions: _, metered: _m, toolsOpen, lastCall, ...told } = progress;
  // Paths inside its workspace are shown relative to it.
  const here = (words: string | null): string | null =>
    words?.replaceAll(`${attempt?.workspace.path}/`, '').replaceAll(`cd ${attempt?.workspace.path} && `, '') ?? null;
  const doing = here([...toolsOpen.values()].at(-1) ?? null);
  return { ...told, doing, callsOpen: toolsOpen.size, lastCall: here(lastCall), background: background.size };
}

function viewAttempt(attempt: Attempt, run: Run, task: Task, source: ViewSource): AttemptView {
  const {
    id,
    n,
    startedAt,
    state,
    stop,
    launches: { current: launch, count: launches },
    workspace,
    result: { evidence },
    agentId,
  } = attempt;
  const session = run.agents.get(agentId)?.session ?? null;
  return {
    id,
    n,
    startedAt,
    why: attempt.origin.why,
    state,
    stopping: stop === null ? null : { reason: stop.reason, detail: stop.detail },
    launches: Array.from({ length: launches }, (_, i) => launchId(id, i + 1)),
    launchState: launch?.state ?? null,
    pid: launch?.process?.pid ?? null,
    workspace: workspace.path || null,
    // The port scan may be a second old; an ended attempt has no ports.
    url: state === 'ended' ? null : urlOf(source.usedPorts.get(id)),
    base: attempt.origin.base || null,
    reopen:
      session === null || workspace.path === ''
        ? null
        : source.reopen(task.spec.harness, { id: agentId, session }, workspace.path),
    gitDir: source.gitDir(id),
    ref: workspace.ref || null,
    commit: workspace.commit || null,
    integration: viewIntegration(attempt, run),
    notes: [...workspace.notes],
    checks: evidence?.map(viewEvidence) ?? null,
    branchChecks: attempt.integration.branchEvidence?.map(viewEvidence) ?? null,
  };
}

function viewIntegration({ id, state, integration: { queuedAt } }: Attempt, run: Run): AttemptView['integration'] {
  if (state !== 'integrating') return null;
  const place = integrationQueue(run).findIndex((each) => each.id === id) + 1;
  return { since: queuedAt, place, tried: place <= batchMax };
}

function urlOf(port: number | undefined): string | null {
  return port === undefined ? null : `http://localhost:${port}`;
}
