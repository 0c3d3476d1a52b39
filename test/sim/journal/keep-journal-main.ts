// node keep-journal-main.js <directory>: writes a journal of the current format, as the engine makes it under faults, and what
// it replays to. See test/fixtures/journals/README.md.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadHost, loadRun } from '../../../src/engine/load-stream.ts';
import type { RunId } from '../../../src/model/core/ids.ts';
import { must } from '../../../src/std/assert.ts';
import { formatCurrent } from '../../../src/store/sqlite/migrations.ts';
import { openSqliteJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import { simulate } from '../simulate.ts';
import { outcomesOf } from './outcomes.ts';

const [directory = '.'] = process.argv.slice(2);
const path = join(directory, `format-${formatCurrent}.db`);

/** Events that must be in it. */
const wanted = [
  'ask.answered',
  'task.reopened',
  'launch.lost',
  'artifact.stored',
  'integration.succeeded',
  'attempt.parked',
  'attempt.unparked',
  'call.answered',
  'message.sent',
  'attempt.waiting',
  'paths.claimed',
  'progress.reported',
  'limit.reached',
];

/** Of the first seeds that have all of them the one with the fewest events. */
async function interesting() {
  const found: Simulated[] = [];
  for (let seed = 1; found.length < 8; seed += 1) {
    const made = await simulate({ seed, runs: 2, tasksMin: 8, tasksMax: 18, spawning: true });
    const types = new Set(eventsOf(made).map(({ type }) => type));
    if (made.violations.length === 0 && wanted.every((type) => types.has(type))) found.push(made);
  }
  return must(found.sort((a, b) => eventsOf(a).length - eventsOf(b).length)[0], 'some were found').disk;
}

type Simulated = Awaited<ReturnType<typeof simulate>>;

function eventsOf({ disk }: Simulated) {
  return [...disk.streams.values()].flatMap(({ events }) => events);
}

const disk = await interesting();
for (const end of ['', '-wal', '-shm', '.lock']) rmSync(path + end, { force: true });
const journal = await openSqliteJournal({ path });
for (const [stream, { events, open }] of disk.streams) {
  for (const { type, data, at, seq } of events) {
    await journal.append([{ stream, expected: seq - 1, at, open, events: [{ type, data }] }]);
  }
}
const runs: Record<string, unknown> = {};
for (const { stream } of await journal.heads({ prefix: 'run_' })) {
  const run = await loadRun(journal, stream as RunId);
  if (run !== null) runs[stream] = outcomesOf(run);
}
const slotsHeld = (await loadHost(journal, 'sim')).held.size;
writeFileSync(path.replace('.db', '.json'), `${JSON.stringify({ runs, slotsHeld }, null, 2)}\n`);
await journal.close();
rmSync(`${path}.lock`, { force: true });
