// Paths that agents pass to tools. They are compared with the paths of every running task, so the total size of one
// call's paths is bounded.

import { flawOfGlob, parseGlob } from '../../std/path-glob.ts';

/** Limits in characters, with all alternatives: for paths with wildcards, and for all others. */
const patternsMax = 2_000;
const plainMax = 20_000;

/** What is wrong with them, in a sentence; null = nothing. */
export function flawOfPaths(paths: readonly string[]): string | null {
  let [patterns, plain] = [0, 0];
  for (const path of paths) {
    const flaw = flawOfGlob(path);
    if (flaw !== null) return flaw;
    const size = parseGlob(path).reduce((sum, tokens) => sum + tokens.length, 0);
    if (/[*?[{]/.test(path)) patterns += size;
    else plain += size;
    if (patterns > patternsMax) return `"${path}": these are too many patterns, or too long ones; name directories`;
    if (plain > plainMax) return `"${path}": these are too many paths; name directories`;
  }
  return null;
}
