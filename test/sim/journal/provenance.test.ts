// What an engine says of where work comes from, whenever and however often it is killed, is what an audit reads from the
// journal afterwards.

import { expect, it } from 'vitest';
import { readRunRecord } from '../../../src/audit/run-record.ts';
import type { RunId } from '../../../src/model/core/ids.ts';
import type { Trailer } from '../../../src/model/integrate/trailer.ts';
import { openMemoryJournal } from '../../../src/store/memory/memory-journal.ts';
import { simulate } from '../simulate.ts';

const seeds = 30;

/** The audit has no transcripts here. */
const withoutTranscript = (trailers: readonly Trailer[]): string[] =>
  trailers.filter(({ key }) => key !== 'Signalbox-Transcript').map(({ key, value }) => `${key}: ${value}`);

it('an audit reports of every work what the engine reported [PROV-6]', async () => {
  let works = 0;
  let landings = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const { disk, origins } = await simulate({ seed, hashes: true });
    const journal = openMemoryJournal(disk);
    for (const runId of [...disk.streams.keys()].filter((stream) => stream.startsWith('run_'))) {
      const { integrations } = await readRunRecord(journal, runId as RunId, {
        transcriptHash: async () => null,
        key: null,
      });
      for (const [key, { trailers }] of integrations) {
        const said = origins.get(key) ?? origins.get(`${runId} ${key}`);
        // If it was stopped at once, the port got nothing.
        if (said === undefined) continue;
        if (key.startsWith('landing')) landings += 1;
        else works += 1;
        expect(withoutTranscript(trailers), `seed ${seed}`).toEqual(withoutTranscript(JSON.parse(said) as Trailer[]));
      }
    }
  }
  expect(works).toBeGreaterThan(seeds);
  expect(landings).toBeGreaterThan(0);
});
