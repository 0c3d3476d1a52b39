// Deliberately broken engines, in what they store of an attempt and say of it.

import type { Mutant } from './mutant.ts';

export const artifactMutants: readonly Mutant[] = [
  {
    name: 'an artifact is recorded that nobody stored',
    file: 'engine/effects/store-artifacts.js',
    find: 'await artifacts.put(kind, value)',
    put: "{ id: `artifact_${'0'.repeat(64)}`, bytes: 1 }",
  },
  {
    name: 'what a task gave is not stored',
    file: 'engine/effects/store-artifacts.js',
    find: 'if (result !== null)',
    put: 'if (false)',
  },
  {
    name: 'an artifact does not name what it was made of',
    file: 'model/attempt/artifact.js',
    find: 'stored.length === 0 ? [] : inputArtifacts(',
    put: 'true ? [] : inputArtifacts(',
  },
  {
    name: 'a failed attempt has a result',
    file: 'model/attempt/artifact.js',
    find: "attempt.result.verdict?.kind !== 'ok'",
    put: 'attempt.result.verdict === null',
  },
];
