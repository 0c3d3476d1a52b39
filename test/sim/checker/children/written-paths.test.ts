// The checker lists by hand which paths each glob of the simulator fits. A pair of globs whose common path is missing there
// would have the checker blame an engine that keeps two writers apart.

import { expect, it } from 'vitest';
import { globFits, globsOverlap, parseGlob } from '../../../../src/std/path-glob.ts';
import { globPaths } from './written-paths.ts';

const globs = Object.keys(globPaths);
const listed = (glob: string): readonly string[] => globPaths[glob] ?? [];

it('two globs of the simulator share a listed path exactly if they overlap', () => {
  const wrong = globs.flatMap((one) =>
    globs.flatMap((other) => {
      const overlap = globsOverlap(parseGlob(one), parseGlob(other));
      return listed(one).some((path) => listed(other).includes(path)) === overlap ? [] : [`${one} and ${other}`];
    }),
  );
  expect(wrong).toEqual([]);
});

it('each glob of the simulator lists exactly the paths that it matches', () => {
  const all = new Set(globs.flatMap(listed));
  for (const glob of globs)
    expect(listed(glob), glob).toEqual([...all].filter((path) => globFits(parseGlob(glob), path)));
});
