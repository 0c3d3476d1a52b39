// How long a start takes with 1,000 events of history and with 1,000,000: open the database, load what is open, and be
// ready to decide. Half of the long history is in one open run, the rest in runs that have ended.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHost, loadRun, openRuns } from '../src/engine/load-stream.ts';
import type { RunEvent, RunEventBody } from '../src/model/core/events.ts';
import { attemptId, launchId, type RunId } from '../src/model/core/ids.ts';
import { evolve } from '../src/model/evolve.ts';
import { writeEvent } from '../src/model/format.ts';
import { emptyRun } from '../src/model/new-state.ts';
import { pending } from '../src/model/pending.ts';
import { snapshotFormat, writeRun } from '../src/model/snapshot.ts';
import type { Journal } from '../src/ports/journal.ts';
import { openSqliteJournal } from '../src/store/sqlite/sqlite-journal.ts';
import { plainTask } from '../test/plain-task.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const short = 1_000;
const long = 1_000_000;
const rounds = 15;
/** The engine's own interval: a snapshot is at most this far behind. */
const snapshotEvery = 500;
const at = 1_000;

export async function benchRecovery(): Promise<BenchFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  try {
    const paths = { short: join(folder, 'short.db'), long: join(folder, 'long.db') };
    await fill(paths.short, short);
    await fill(paths.long, long);
    const times: { short: number[]; long: number[] } = { short: [], long: [] };
    for (let round = 0; round < rounds; round++) {
      times.short.push(await start(paths.short));
      times.long.push(await start(paths.long));
    }
    const shortMs = median(times.short);
    const longMs = median(times.long);
    return [
      figure('recovery.with_1000_events', shortMs, 'ms', 'none', true),
      figure('recovery.with_1000000_events', longMs, 'ms', 'none', true),
      figure('recovery.ratio', longMs / shortMs, '×', '<= 1.5', longMs / shortMs <= 1.5),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the engine does before its first tick. */
async function start(path: string): Promise<number> {
  const begun = performance.now();
  const journal = await openSqliteJournal({ path });
  await loadHost(journal, 'bench');
  for (const runId of await openRuns(journal)) {
    const run = await loadRun(journal, runId);
    if (run === null || pending(run, at).effects.length === 0) throw new Error('the open run has work under way');
  }
  const ms = performance.now() - begun;
  await journal.close();
  return ms;
}

async function fill(path: string, events: number): Promise<void> {
  const journal = await openSqliteJournal({ path });
  await fillRun(journal, 'run_open', events / 2, true);
  const runs = Math.max(1, Math.floor(events / 2 / 5_000));
  for (let i = 0; i < runs; i++) await fillRun(journal, `run_ended${i}`, events / 2 / runs, false);
  await journal.close();
}

/** A run of one task whose agent talks for a long time. */
async function fillRun(journal: Journal, runId: RunId, count: number, open: boolean): Promise<void> {
  const run = emptyRun();
  let expected = 0;
  for (const chunk of chunks(runEvents(runId, count), snapshotEvery)) {
    for (const event of chunk) evolve(run, event);
    await journal.append([{ stream: runId, expected, at, events: chunk.map(writeEvent), open }]);
    expected += chunk.length;
    // As the engine leaves it: the newest snapshot lies up to one interval behind the head.
    if (open && expected + snapshotEvery >= count && expected < count) {
      await journal.saveSnapshot({ stream: runId, seq: run.seq, format: snapshotFormat, data: writeRun(run) });
    }
  }
}

function* runEvents(runId: RunId, count: number): Generator<RunEvent> {
  const taskId = `task_${runId.slice(4)}` as const;
  const attempt = attemptId(taskId, 1);
  const launch = launchId(attempt, 1);
  const agentId = `agent_${attempt.slice(8)}` as const;
  const limits = { parallelMax: 1 };
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 1, turns: 1 };
  const opening: RunEventBody[] = [
    { type: 'run.created', run: { id: runId, name: 'r', repo: { path: '/r', base: 'b' }, limits } },
    {
      type: 'task.added',
      task: { ...plainTask, id: taskId, name: 't', prompt: 'p' },
    },
    { type: 'attempt.started', attemptId: attempt, taskId, n: 1, agentId, host: 'bench' },
    { type: 'agent.created', agentId, taskId, name: 't' },
    { type: 'workspace.ready', attemptId: attempt, path: '/w', base: 'b' },
    { type: 'launch.intended', launchId: launch, attemptId: attempt, resume: false },
    { type: 'launch.started', launchId: launch, process: null },
  ];
  for (const body of opening) yield { at, ...body };
  for (let i = opening.length; i < count; i += 2) {
    yield { at, type: 'usage.recorded', agentId, taskId, model: 'm', usage };
    yield { at, type: 'launch.read', launchId: launch, offset: i, codec: '{"costMicroUsd":0}' };
  }
}

function* chunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
