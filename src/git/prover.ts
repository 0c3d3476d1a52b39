// Runs a task's checks on what was saved, not on what the agent's directory holds: each on a checkout of its own, made
// for it and removed after it, since a check runs the agent's code and may change anything there. It gets the sandbox that
// the agent had.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { trustedPath } from '../process/confine.ts';
import { Fault } from '../std/fault.ts';
import { checkOut } from './checkout.ts';
import { type CommandEnd, type ConfineCommand, runConfined } from './confined-command.ts';
import { isCommitId } from './git.ts';
import { lastLine } from './last-line.ts';
import { openLayout, projectOf } from './layout.ts';
import { withScratch } from './scratch.ts';
import { proveWriteSet, type WriteSet } from './write-set.ts';

export interface ProverOptions {
  /** The root that the workspaces are in. */
  readonly root: string;
  /** Where checks find their programs. */
  readonly path?: string;
  readonly confine?: ConfineCommand;
}

export interface Prover {
  prove(order: ProofOrder, signal: AbortSignal): Promise<readonly ProofItem[]>;
}

export interface ProofOrder {
  readonly attemptId: string;
  readonly commit: string;
  readonly workspace: string;
  readonly checks: readonly Check[];
  readonly base: string;
  /** Whether a sandbox is around the checks, as one was around the agent whose code they run. */
  readonly sandboxed: boolean;
  /** What it may have changed since `base`; null = anything. */
  readonly writeSet: WriteSet | null;
}

export interface Check {
  readonly name: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}

export interface ProofItem {
  readonly check: string;
  readonly passed: boolean;
  readonly detail: string;
}

export function createProver({ root, path = trustedPath, confine }: ProverOptions): Prover {
  return {
    async prove({ attemptId, commit, checks, writeSet, base, sandboxed }, signal) {
      const layout = await openLayout(root);
      const bare = await projectOf(layout, attemptId);
      if (bare === null) throw new Fault('git_failed', `attempt ${attemptId} has no saved work to check`);
      if (!isCommitId(commit)) throw new Fault('bad_request', `${JSON.stringify(commit)} is not the id of a commit`);
      const items: ProofItem[] = [];
      if (writeSet !== null) items.push(await proveWriteSet({ bare, base, commit, writeSet }, signal));
      for (const check of checks) {
        const end = await withScratch(layout.scratch, async (scratch) => {
          const cwd = join(scratch, 'checkout');
          await checkOut({ bare, path: cwd, commit, branch: null, config: { 'gc.auto': '0' } }, signal);
          const home = join(scratch, 'home');
          await mkdir(home);
          const readable = [join(bare, 'objects')];
          const { argv, timeoutMs } = check;
          const order = { argv, cwd, home, path, readable, sandboxed, timeoutMs, graceMs: 0 };
          return runConfined(order, confine ?? null, signal);
        });
        items.push(itemOf(check.name, end));
      }
      return items;
    },
  };
}

function itemOf(check: string, { ok, outcome, output }: CommandEnd): ProofItem {
  const said = lastLine(output);
  return { check, passed: ok, detail: ok || said === '' ? outcome : `${outcome}: ${said}` };
}
