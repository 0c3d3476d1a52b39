// What is stored of an attempt fits the schema of its kind, and each kind takes what it is for and nothing else.

import { describe, expect, it } from 'vitest';
import { storeArtifacts } from '../../src/engine/effects/store-artifacts.ts';
import { readOutput, schemaFlaw } from '../../src/engine/watch/check-output.ts';
import { kindSchemas, type NamedKind, namedKinds } from '../../src/model/attempt/artifact-kinds.ts';
import type { Json } from '../../src/model/core/json.ts';
import { encodeArtifact } from '../../src/store/artifacts/artifacts.ts';
import { attempt, down, launched, submitted, task, turned } from '../model/story.ts';

const commit = 'a'.repeat(40);
const base = 'b'.repeat(40);

const examples: Readonly<Record<NamedKind, Json>> = {
  finding: { what: 'a leak', where: { file: 'a.ts', line: 3 }, severity: 'high', evidence: 'it grows' },
  'patch-plan': { goal: 'mend it', steps: [{ files: ['a.ts'], why: 'it leaks' }], risks: [] },
  'file-set': { base, commit, files: [{ path: 'a.ts', status: 'deleted', blob: null }] },
  verdict: { commit, decision: 'unsure', reasons: [{ reason: 'no test', file: 'a.ts', line: 1 }] },
  handoff: { found: ['a leak'], changed: ['a.ts'], remaining: [], commands: ['npm test'] },
  conflict: {
    target: 'refs/signalbox-run/run_1',
    head: commit,
    paths: ['a.ts'],
    sides: [
      { task: 'a', commit, prompt: 'do a' },
      { task: 'b', commit, prompt: 'do b' },
    ],
    check: { name: 'test', output: 'red' },
  },
  report: { title: 'a', text: '' },
};

describe('the kinds that ship', () => {
  it.each(namedKinds)('%s accepts exactly its own values [ART-6]', (kind) => {
    expect(schemaFlaw(kindSchemas[kind])).toBeNull();
    const problems = (value: Json) => readOutput(task('a', { output: kindSchemas[kind] }), value)?.problems;
    const example = examples[kind] as Record<string, Json>;
    expect(problems(example)).toEqual([]);
    expect(problems({ ...example, more: 1 })).toEqual(['it must NOT have additional properties: "more"']);
    const [first = ''] = Object.keys(example);
    const { [first]: _, ...less } = example;
    expect(problems(less)).toEqual([`it must have required property '${first}'`]);
  });
});

it('the result is stored first, then the list of changed files, and both match their kind [ART-4] [ART-6]', async () => {
  const story = submitted(task('a'));
  launched(story, 'a');
  turned(story, 'a');
  down(story, 'a', 0);
  const values: [NamedKind, Json][] = [];
  const artifacts = {
    put: async (kind: never, value: Json) => {
      values.push([kind, value]);
      return encodeArtifact(kind, value);
    },
  };
  const live = story.run.live.get(attempt('a'));
  if (live === undefined) throw new Error('it is at work');
  live.workspace.base = base;
  const files = [{ path: 'a.ts', status: 'added', blob: commit } as const];
  const stored = await storeArtifacts({ artifacts }, story.run, live, { commit, files });
  expect(stored.map(({ kind }) => kind)).toEqual(['report', 'file-set']);
  for (const [kind, value] of values) {
    expect(readOutput(task('a', { output: kindSchemas[kind] }), value)?.problems).toEqual([]);
  }
  expect(values[1]?.[1]).toEqual({ base, commit, files });
});
