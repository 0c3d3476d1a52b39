// Usage by run, task, role or model, of one run or of the open and most recent runs. Usage by day is kept with the host,
// for all runs. Read-only.

import type { Engine } from '../../engine/engine.ts';
import type { RunId } from '../../model/core/ids.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { usedUnderway } from '../../model/host/day.ts';
import { spentOn } from '../../model/host/host.ts';
import { type UsageNow, usageNow } from '../../model/spending/underway.ts';
import { addTotal, noUsage, type UsageTotal } from '../../model/spending/usage.ts';
import type { Journal } from '../../ports/journal.ts';
import { must } from '../../std/assert.ts';
import { localDay } from '../../std/clock.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { type SummedUsage, type UsageKind, type UsageReport, usageKinds } from '../../wire/usage-views.ts';
import { viewAccounts } from './account-view.ts';
import { liveMetered, viewUsage } from './usage-view.ts';

export interface UsageSource {
  readonly engine: Pick<Engine, 'look' | 'lookRun' | 'progress'>;
  readonly journal: Pick<Journal, 'heads'>;
}

/** Only the newest ended runs are counted, because each has to be read from the journal. */
export const endedMax = 50;

export function usageKindOf(word: string | null, runId: RunId | null): UsageKind {
  if (word === null) return runId === null ? 'run' : 'task';
  const kind = usageKinds.find((each) => each === word);
  if (kind === undefined)
    throw new Fault('bad_request', `unknown --by "${word}": expected one of ${usageKinds.join(', ')}`);
  return kind;
}

export async function reportUsage(
  source: UsageSource,
  which: { readonly runId: RunId | null; readonly by: UsageKind },
  now: number,
): Promise<UsageReport> {
  const { runId, by } = which;
  if (by === 'day' && runId !== null) {
    throw new Fault('bad_request', 'usage of a single run is not kept by day: leave the run out, or use another --by');
  }
  const found = by === 'day' ? await ofDays(source, now) : await ofRuns(source, runId, by, now);
  const { parts, leftOut, unreadable } = found;
  const accounts = await source.engine.look(({ host }) => viewAccounts(host, now));
  return { by, ...summed(parts, by !== 'model'), leftOut, unreadable, ...accounts };
}

interface Found extends Pick<UsageReport, 'leftOut' | 'unreadable'> {
  readonly parts: readonly Part[];
}

/** Usage of unfinished turns counts for today. */
function ofDays({ engine }: UsageSource, now: number): Promise<Found> {
  return engine.look(({ host, runs }) => {
    const today = localDay(now);
    const underway = usedUnderway(runs, today, now, liveMetered(engine.progress));
    const isUsed = Object.values(underway).some((amount) => amount > 0);
    const days = [...new Set([...Object.keys(host.days), ...(isUsed ? [today.name] : [])])].sort();
    const parts = days.map((day) => ({ key: day, name: day, usage: spentOn(host, day), begun: false }));
    for (const { key, usage } of parts) if (key === today.name) addTotal(usage, underway);
    return { parts, leftOut: 0, unreadable: [] };
  });
}

async function ofRuns(source: UsageSource, runId: RunId | null, by: UsageKind, now: number): Promise<Found> {
  const meteredOf = liveMetered(source.engine.progress);
  const { ids, leftOut } = runId === null ? await newest(source.journal) : { ids: [runId], leftOut: 0 };
  const sums = new Map<string, Part>();
  const unreadable: UsageReport['unreadable'] = [];
  for (const id of ids) {
    try {
      await source.engine.lookRun(id, (run) => {
        if (run === null) throw new Fault('not_found', `there is no run ${id}`);
        // Sum up at once, because an open run keeps changing.
        for (const part of partsOf(run, usageNow(run, meteredOf, now), by, runId !== null)) addPart(sums, part);
      });
    } catch (error) {
      if (runId !== null || !(isFault(error, 'journal_corrupt') || isFault(error, 'journal_newer'))) throw error;
      unreadable.push({ id, reason: error.message });
    }
  }
  const parts = [...sums.values()];
  if (by !== 'run') parts.sort((a, b) => weight(b) - weight(a));
  return { parts, leftOut, unreadable };
}

/** One row. Every usage is in exactly one row. */
interface Part {
  readonly key: string;
  readonly name: string | null;
  readonly usage: UsageTotal;
  /** Whether an agent has started, so that the cost may be unknown. */
  begun: boolean;
}

async function newest(journal: UsageSource['journal']): Promise<{ ids: RunId[]; leftOut: number }> {
  const heads = await journal.heads({ prefix: 'run_' });
  const ended = heads.filter(({ open }) => !open);
  const counted = [...heads.filter(({ open }) => open), ...ended.slice(-endedMax)];
  return { ids: counted.map(({ stream }) => stream as RunId).sort(), leftOut: Math.max(0, ended.length - endedMax) };
}

function partsOf(run: Run, used: UsageNow, by: UsageKind, alone: boolean): Part[] {
  const { id, name } = must(run.spec, 'a run that can be seen is created');
  if (by === 'run') return [{ key: id, name, usage: used.run, begun: run.agents.size > 0 }];
  const begun = [...run.tasks.values()].filter(({ tries: { attempts } }) => attempts > 0);
  return begun.flatMap((task) =>
    by === 'model' ? modelsOf(task, used) : [partOf(task, used, by, alone ? '' : `${name}/`)],
  );
}

function partOf({ spec }: Task, used: UsageNow, by: UsageKind, before: string): Part {
  const [key, name] = by === 'role' ? [spec.role ?? '', spec.role] : [spec.id, `${before}${spec.name}`];
  return { key, name, usage: used.of(spec.id), begun: true };
}

function modelsOf({ spec }: Task, used: UsageNow): Part[] {
  return Object.entries(used.models(spec.id)).map(([model, usage]) => ({
    key: model,
    name: model || null,
    usage,
    begun: true,
  }));
}

function addPart(sums: Map<string, Part>, { key, name, usage, begun }: Part): void {
  const sum = sums.get(key) ?? { key, name, usage: noUsage(), begun: false };
  addTotal(sum.usage, usage);
  sum.begun ||= begun;
  sums.set(key, sum);
}

/** `timed`: whether these rows have process time. */
function summed(parts: readonly Part[], timed: boolean): Pick<UsageReport, 'rows' | 'total'> {
  const total = noUsage();
  for (const { usage } of parts) addTotal(total, usage);
  const view = (usage: UsageTotal, begun: boolean): SummedUsage => {
    const seen = viewUsage(usage, begun);
    return { ...seen, timeMs: timed ? seen.timeMs : null };
  };
  const rows = parts.map(({ key, name, usage, begun }) => ({ key, name, usage: view(usage, begun) }));
  const unknown = rows.some(({ usage }) => usage.costMicroUsd === null);
  const all = view(total, false);
  return { rows, total: unknown ? { ...all, costMicroUsd: null } : all };
}

function weight({ usage }: Part): number {
  return usage.costMicroUsd + (usage.inputTokens + usage.outputTokens + usage.cacheWriteTokens) / 1e6;
}
