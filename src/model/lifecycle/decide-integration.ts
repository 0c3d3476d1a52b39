// Decisions on verified work: its integration into the run's branch, and what follows from success or conflict.

import { defined } from '../../std/defined.ts';
import { stampEvents } from '../attempt/artifact.ts';
import { breakOffReason } from '../attempt/stopping.ts';
import type { Attempt } from '../core/attempt.ts';
import { type Command, type Decision, decided, stale } from '../core/command.ts';
import type { EvidenceItem, RunEventBody, Verdict } from '../core/events.ts';
import { type ArtifactId, taskOfAttempt } from '../core/ids.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run } from '../core/run.ts';
import type { Conflict } from '../integrate/conflict.ts';
import type { IntegrateResult } from '../integrate/integration-queue.ts';
import { type Printed, printedBy } from '../session/check-output.ts';
import { type Consequences, endAttempt, noConsequences } from '../tasks/end-task.ts';

/** Verified work that changed something is integrated before its attempt ends. */
export function endOrIntegrate(run: Run, attempt: Attempt, verdict: Verdict, commit: string, all: Consequences): void {
  const {
    integration: { conflict },
    spec,
  } = taskOf(run, attempt.taskId);
  const integrates = spec.keeps && run.spec?.integrates === true && verdict.kind === 'ok';
  if (integrates && commit !== attempt.origin.base) {
    all.events.push({ type: 'integration.queued', attemptId: attempt.id });
  } else if (integrates && conflict !== null) drop(run, attempt, conflict, all);
  else endAttempt(run, attempt, verdict, spec.keeps ? commit : '', all);
}

/** An agent cannot decide that conflicting work is no longer needed because integrated work does the same. */
function drop(run: Run, attempt: Attempt, { commit }: Conflict, all: Consequences): void {
  const stopped = breakOffReason(run, attempt);
  if (stopped !== null) return endAttempt(run, attempt, { kind: 'failed', failure: stopped }, '', all);
  all.events.push({ type: 'integration.dropped', attemptId: attempt.id });
  const detail = `it was to bring the work of ${commit} together with what was integrated meanwhile, and changed nothing; both are kept`;
  failAs(run, attempt, 'conflict', detail, all);
}

export function decideIntegrated(run: Run, command: Extract<Command, { type: 'integrated' }>): Decision {
  // Merged with another head than the journal knows: another report came first.
  if (command.from !== run.integration.head) return stale('the integration');
  const all = noConsequences();
  for (const result of command.results) {
    const attempt = run.integration.queue.get(result.attemptId);
    if (attempt !== undefined) draw(run, attempt, result, all);
  }
  return all.events.length === 0 ? stale('the integration') : decided(all.events);
}

function draw(run: Run, attempt: Attempt, result: IntegrateResult, all: Consequences): void {
  const { attemptId } = result;
  const stopped = breakOffReason(run, attempt);
  // A person's stop comes before another try.
  if (stopped !== null && result.kind !== 'integrated') {
    return endAttempt(run, attempt, { kind: 'failed', failure: stopped }, '', all);
  }
  switch (result.kind) {
    case 'integrated': {
      const { commit: head, tree, items, overlaps } = result;
      all.events.push({ type: 'integration.succeeded', attemptId, head, tree, items, ...defined({ overlaps }) });
      return endAttempt(run, attempt, { kind: 'ok' }, attempt.workspace.commit, all);
    }
    case 'conflict': {
      const { paths, pathsTotal } = result;
      const told = { type: 'integration.conflicted', attemptId, paths, pathsTotal, with: result.with } as const;
      all.events.push(...stamped(run, attempt, result), { ...told, ...artifactOf(result) });
      const more = pathsTotal > paths.length ? ` and ${pathsTotal - paths.length} more` : '';
      const whose = namesOf(run, result.with);
      const detail = `its work does not fit what was integrated meanwhile${whose}, in ${paths.join(', ')}${more}; both are kept`;
      return failAs(run, attempt, 'conflict', detail, all);
    }
    case 'failed': {
      const { items } = result;
      const told = { type: 'integration.failed', attemptId, items, with: result.with } as const;
      all.events.push(...stamped(run, attempt, result), { ...told, ...artifactOf(result) });
      const why = `on the run's branch ${failedWords(items)}`;
      const printed = printedBy(items.find(({ passed }) => !passed));
      if (result.with === null) return failAs(run, attempt, 'check-failed', why, all, printed);
      const whose = namesOf(run, [result.with]);
      return failAs(
        run,
        attempt,
        'conflict',
        `${why}, together with what was integrated before${whose}; both are kept`,
        all,
      );
    }
    case 'withdrawn':
      // Still wanted: it is tried again.
      return;
  }
}

type Kept = Pick<Extract<IntegrateResult, { kind: 'conflict' }>, 'stored'>;

function stamped(run: Run, attempt: Attempt, { stored }: Kept): RunEventBody[] {
  return stored === undefined ? [] : stampEvents(run, attempt, attempt.workspace.commit, [stored]);
}

function artifactOf({ stored }: Kept): { artifact?: ArtifactId } {
  return stored === undefined ? {} : { artifact: stored.artifactId };
}

function failAs(
  run: Run,
  attempt: Attempt,
  reason: 'conflict' | 'check-failed',
  detail: string,
  all: Consequences,
  printed: Printed = {},
): void {
  const failure = { reason, detail: detail.slice(0, detailMax), ...printed };
  endAttempt(run, attempt, { kind: 'failed', failure }, '', all);
}

const detailMax = 4_000;

function namesOf(run: Run, attempts: IntegratedWith): string {
  const names = attempts.map((id) => `"${run.tasks.get(taskOfAttempt(id))?.spec.name ?? id}"`);
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  return names.length === 0 ? '' : ` (${names.slice(0, namesShown).join(', ')}${more})`;
}

type IntegratedWith = Extract<IntegrateResult, { kind: 'conflict' }>['with'];
const namesShown = 5;

function failedWords(items: readonly EvidenceItem[]): string {
  const failed = items.find((item) => !item.passed);
  return failed === undefined ? 'a check fails' : `check "${failed.check}" fails (${failed.detail})`;
}
