// What a word means as the name of an artifact, and that a long journal is read to its end.

import { expect, it } from 'vitest';
import { give } from '../../../test/model/plan-story.ts';
import { attempt, down, launched, submitted, task } from '../../../test/model/story.ts';
import type { StoredArtifact } from '../../model/attempt/artifact.ts';
import type { ArtifactId, RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { Fault } from '../../std/fault.ts';
import { eventsOf, readArtifact } from './artifact-list.ts';

const ids = ['artifact_abcdef00', 'artifact_abcdef11', 'artifact_12345678'] as const;

function source(run: Run) {
  return {
    engine: { lookRun: async <T>(_id: RunId, read: (run: Run | null, ledger: never) => T) => read(run, null as never) },
    journal: { read: async () => [] },
    artifacts: {
      find: async (hex: string) => ids.filter((id): id is typeof id & ArtifactId => id.startsWith(`artifact_${hex}`)),
      bytes: async (id: ArtifactId) => Buffer.from(id),
      path: (id: ArtifactId) => id,
    },
  };
}

const runs = {
  find: async (word: string) => {
    if (word === 'a' || word === 'task_a') return { runId: 'run_1', taskId: 'task_a' };
    if (word === 'run') return { runId: 'run_1', taskId: null };
    throw new Fault('not_found', 'none');
  },
};

const stored = (name: string, kind: StoredArtifact['kind']): StoredArtifact => ({
  artifactId: `artifact_${name}`,
  kind,
  bytes: 1,
});

function asked(word: string, kind: string | null = null): Promise<string> {
  const story = submitted(task('a', { output: { type: 'object' } }), task('b'));
  launched(story, 'a');
  give(story, 'a', {});
  down(story, 'a', 0);
  const artifacts = [stored('files', 'file-set'), stored('given', 'output')];
  story.tell({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'b0', artifacts });
  return readArtifact(source(story.run), runs, word, kind).then(
    ({ id }) => id,
    (error: unknown) => (error as Error).message,
  );
}

it('an artifact is found by its id, a unique prefix, a task, or the id an accounting agent uses [ART-9]', async () => {
  expect(await asked('artifact_12345678')).toBe('artifact_12345678');
  expect(await asked('123456')).toBe('artifact_12345678');
  expect(await asked('abcdef')).toContain('is ambiguous (artifact_abcdef00, artifact_abcdef11)');
  expect(await asked('a')).toBe('artifact_given');
  expect(await asked('artifact_a-1')).toBe('artifact_given');
  expect(await asked('a', 'file-set')).toBe('artifact_files');
  expect(await asked('a', 'verdict')).toBe('task "a" has no stored verdict');
  expect(await asked('run')).toContain('"run" is a run');
  expect(await asked('999999')).toContain('there is no artifact or task "999999"');
});

it('a journal of many pages is read to its end [ART-8]', async () => {
  const all = Array.from({ length: 2_500 }, (_, i) => {
    const type = i % 1_000 === 999 || i === 2_499 ? 'artifact.stored' : 'run.resumed';
    return { stream: 'run_1', seq: i + 1, at: i, type, data: JSON.stringify({ bytes: i }), prevHash: '', hash: '' };
  });
  // A page is bounded in bytes as well: a short one is not the end.
  for (const fit of [1_000, 300]) {
    const journal = { read: async (_: string, after: number) => all.slice(after, after + fit) };
    const found = await eventsOf(journal, 'run_1', 'artifact.stored');
    expect(found.map(({ bytes }) => bytes)).toEqual([999, 1_999, 2_499]);
  }
});
