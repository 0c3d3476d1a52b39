// Proves an attempt's work from the saved commit, not from its directory: that it stayed within its write-set, and that
// its checks pass.

import type { ProofOrder, ProverPort, WriteSet } from '../../ports/proof-port.ts';
import { textPart } from '../../std/characters.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import { readIfThere } from '../../std/files.ts';
import { globFits, parseGlob } from '../../std/path-glob.ts';
import { pathsBetween } from '../commands/changed-paths.ts';
import { plainOutput } from '../commands/failure-line.ts';
import { git, isCommitId } from '../commands/git.ts';
import { openLayout, projectOf } from '../commands/layout.ts';
import { checkLogPath } from './check-results.ts';
import type { Checks } from './checks.ts';

export interface ProverOptions {
  /** The root of the workspaces. */
  readonly root: string;
  readonly checks: Checks;
}

export function createProver({ root, checks: runner }: ProverOptions): ProverPort {
  return {
    async prove(order, signal) {
      const { attemptId, commit, checks, writeSet, sandboxed, usualSetup, failuresSince = 0 } = order;
      const bare = await projectOf(await openLayout(root), attemptId);
      if (bare === null)
        throw new Fault('git_failed', `attempt ${attemptId} has no saved work, so it cannot be checked`);
      if (!isCommitId(commit)) throw new Fault('bad_request', `${JSON.stringify(commit)} is not the id of a commit`);
      const inside =
        writeSet === null
          ? []
          : [await proveWriteSet({ bare, base: await ownBase(bare, order, signal), commit, writeSet }, signal)];
      const checked = await runner.run(
        { bare, commit, checks, sandboxed, failuresSince, ...defined({ usualSetup }) },
        signal,
      );
      return [...inside, ...checked];
    },
    async readLog(log, from, max) {
      const path = checkLogPath(root, log);
      const text = path === null ? null : await readIfThere(path);
      return text === null ? null : textPart(plainOutput(text), from, max);
    },
  };
}

/**
 * What the work is compared with: its base, or what it has merged of the run's branch since, which others made and which was proved
 * then. Only commits of that branch count, so nothing can be hidden by a merge.
 */
async function ownBase(bare: string, { base, head, commit }: ProofOrder, signal: AbortSignal): Promise<string> {
  if (head === undefined || head === base) return base;
  const shared = await git(['merge-base', head, commit], { env: { GIT_DIR: bare }, signal, accept: [0, 1] });
  const merged = shared.stdout.trim();
  if (merged === '' || merged === base) return base;
  const args = ['merge-base', '--is-ancestor', base, merged];
  const { status } = await git(args, { env: { GIT_DIR: bare }, signal, accept: [0, 1] });
  return status === 0 ? merged : base;
}

/** Whether work stayed within its paths, by what differs between two commits. */
async function proveWriteSet(
  { bare, base, commit, writeSet }: { bare: string; base: string; commit: string; writeSet: WriteSet },
  signal: AbortSignal,
): Promise<{ check: string; passed: boolean; detail: string }> {
  const globs = writeSet.globs.map(parseGlob);
  const changed = await pathsBetween(bare, base, commit, signal);
  const outside = changed.filter((path) => !globs.some((glob) => globFits(glob, path)));
  const more = outside.length > shownMax ? ` and ${outside.length - shownMax} more` : '';
  const detail =
    outside.length === 0
      ? 'it changed nothing else'
      : `it changed ${outside.slice(0, shownMax).join(', ')}${more}, and may change ${writeSet.globs.join(', ') || 'nothing'}`;
  return { check: writeSet.proof, passed: outside.length === 0, detail };
}

const shownMax = 10;
