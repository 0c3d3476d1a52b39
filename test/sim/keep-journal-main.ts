// node keep-main.js <directory>: writes a journal of the present format, as the engine makes it under faults, to be kept.
// See test/fixtures/journals/README.md.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadHost, loadRun } from '../../src/engine/load-stream.ts';
import type { RunId } from '../../src/model/core/ids.ts';
import { journalFormat } from '../../src/model/format.ts';
import { openSqliteJournal } from '../../src/store/sqlite/sqlite-journal.ts';
import { outcomesOf } from './outcomes.ts';
import { simulate } from './simulate.ts';

const [directory = '.'] = process.argv.slice(2);
const path = join(directory, `format-${journalFormat}.db`);

/**
 * What must have happened in it: questions and answers, a lost process, artifacts, integrated work and a pause; and agents that asked for others, wrote to
 * them, waited for them and came up to a limit.
 */
const wanted = [
  'gate.decided',
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
  'progress.told',
  'limit.reached',
];

/** The first seed in which all of that happened. */
async function interesting() {
  for (let seed = 1; ; seed += 1) {
    const { disk, violations } = await simulate({ seed, runs: 2, tasksMin: 8, tasksMax: 18, spawning: true });
    const types = new Set([...disk.streams.values()].flatMap(({ events }) => events.map(({ type }) => type)));
    if (violations.length === 0 && wanted.every((type) => types.has(type))) return disk;
  }
}

const disk = await interesting();
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
