// What an audit reads of a run: its integrations and landings.

import { expect, it } from 'vitest';
import { createStory, succeed, task } from '../../test/model/story.ts';
import { writeEvent } from '../model/format.ts';
import type { LandingOutcome } from '../model/land/landing.ts';
import { openMemoryJournal } from '../store/memory/memory-journal.ts';
import { readRunRecord } from './run-record.ts';

async function recordAfter(outcome: (head: string) => LandingOutcome) {
  const story = createStory();
  const repo = { path: '/repo', base: 'b0' };
  const run = { id: 'run_1', name: 'r', repo, limits: { parallelMax: 9 }, integrates: true, into: 'main' } as const;
  story.tell({ type: 'submit', run, tasks: [task('a')] });
  succeed(story, 'a');
  story.tell({ type: 'landed', n: 1, result: { kind: 'ended', outcome: outcome(story.run.integration.head) } });
  const journal = openMemoryJournal();
  for (const [at, event] of story.events.entries()) {
    await journal.append([{ stream: 'run_1', expected: at, at: event.at, events: [writeEvent(event)], open: true }]);
  }
  return readRunRecord(journal, 'run_1', { transcriptHash: async () => null, key: null });
}

const landed = { kind: 'landed', branch: 'main', from: 'old', items: [], checkedOut: false } as const;

it('a landing with a merge commit of its own is verified [PROV-9]', async () => {
  const { integrations, head } = await recordAfter(() => ({ ...landed, commit: 'merge' }));
  expect([...integrations.keys()]).toEqual(['attempt_a-1', 'landing 1']);
  expect(integrations.get('attempt_a-1')?.integrated).toMatchObject({ commit: head });
  expect(integrations.get('landing 1')).toMatchObject({ attemptId: 'attempt_a-1', integrated: { commit: 'merge' } });
});

it('a landing by fast-forward ends at an integration of the run', async () => {
  const { integrations } = await recordAfter((head) => ({ ...landed, commit: head }));
  expect(integrations.get('landing 1')?.integrated).toBeNull();
});

it('a landing that did not succeed has no commit to verify', async () => {
  const { integrations } = await recordAfter(() => ({ kind: 'refused', why: 'no such branch' }));
  expect(integrations.get('landing 1')?.integrated).toBeNull();
});
