// Runs a deliberately broken engine (mutants.ts) in the simulator, which must catch it.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutant.ts';

export type MutantOutcome =
  | { readonly kind: 'caught'; readonly by: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'broken'; readonly how: string }
  | { readonly kind: 'stale' };

/** Whether the text a mutant changes is in the compiled tree exactly once. */
export function isCurrent(mutant: Mutant, compiled: string): boolean {
  return readFileSync(join(compiled, 'src', mutant.file), 'utf8').split(mutant.find).length === 2;
}

/** `compiled` is the compiled tree of src and test/sim; it is copied, never changed. */
export function runMutant(mutant: Mutant, compiled: string, seeds: number): MutantOutcome {
  const dir = mkdtempSync(join(dirname(compiled), 'mutant-'));
  try {
    cpSync(compiled, dir, { recursive: true });
    const path = join(dir, 'src', mutant.file);
    const text = readFileSync(path, 'utf8');
    if (!isCurrent(mutant, compiled)) return { kind: 'stale' };
    writeFileSync(
      path,
      text.replace(mutant.find, () => mutant.put),
    );
    const main = join(dir, 'test/sim/seeds/main.js');
    // Small runs catch most mutants, and many more of them fit into the same time.
    const small = play(main, '--small', '--seeds', String(2 * seeds), '--seconds', '20');
    return small.kind === 'survived' ? play(main, '--seeds', String(seeds), '--seconds', '60') : small;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function play(main: string, ...options: string[]): MutantOutcome {
  const run = spawnSync(process.execPath, ['--max-semi-space-size=64', main, ...options], {
    encoding: 'utf8',
    timeout: 540_000,
    maxBuffer: 64 << 20,
  });
  if (run.status === 0) return { kind: 'survived' };
  // Only a named violation counts: a mutant that merely does not run shows nothing.
  const why = run.stderr.split('\n').find((line) => /^\s*\[\d\]/.test(line));
  if (run.status !== 3 || why === undefined) return { kind: 'broken', how: run.stderr.slice(0, 500) };
  return { kind: 'caught', by: why.trim().slice(0, 120) };
}
