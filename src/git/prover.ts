// Runs a task's checks on what was saved, not on what the agent's directory holds: each on a checkout of its own, made
// for it and removed after it, since a check runs the agent's code and may change anything there. It gets the sandbox that
// the agent had.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { trustedPath } from '../process/confine.ts';
import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { errnoOf } from '../std/files.ts';
import { checkOut } from './checkout.ts';
import { type ChildEnd, runChild } from './child.ts';
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
  /** Puts a command into a sandbox where it reaches only this. */
  readonly confine?: ConfineCheck;
}

export type ConfineCheck = (
  argv: readonly string[],
  cwd: string,
  reach: { readonly readable: readonly string[]; readonly writable: readonly string[] },
) => readonly string[];

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
          const reach = { readable: [join(bare, 'objects')], writable: [cwd, home] };
          const argv = sandboxed ? must(confine, 'there is a sandbox')(check.argv, cwd, reach) : check.argv;
          return runCheck({ ...check, argv }, { cwd, home, path }, signal);
        });
        items.push({ check: check.name, ...end });
      }
      return items;
    },
  };
}

const outputKept = 2000;

async function runCheck(
  { argv, timeoutMs }: Check,
  { cwd, home, path }: { cwd: string; home: string; path: string },
  signal: AbortSignal,
): Promise<{ passed: boolean; detail: string }> {
  let output = '';
  const onOutput = (chunk: Buffer): boolean => {
    output = (output + chunk.toString('utf8')).slice(-outputKept);
    return true;
  };
  const env = { PATH: path, HOME: home, TMPDIR: home, LC_ALL: 'C' };
  const end = await runChild({ argv, cwd, env, timeoutMs, graceMs: 0, onOutput }, signal);
  const said = lastLine(output);
  const passed = end.kind === 'exited' && end.code === 0;
  const outcome = outcomeOf(end, argv, timeoutMs);
  return { passed, detail: passed || said === '' ? outcome : `${outcome}: ${said}` };
}

function outcomeOf(end: ChildEnd, argv: readonly string[], timeoutMs: number): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${end.code}`;
    case 'signalled':
      return `ended by ${end.by}`;
    case 'timedOut':
      return `not finished after ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${Math.round(timeoutMs / 1000)} s`}`;
    case 'tooMuchOutput':
      return 'too much output';
    case 'unstartable':
      return `cannot start ${JSON.stringify(argv[0] ?? '')}: ${reasonOf(end.cause)}`;
  }
}

function reasonOf(cause: unknown): string {
  const errno = errnoOf(cause);
  if (errno === 'ENOENT') return 'not found';
  if (errno === 'EACCES') return 'not executable';
  return lastLine(cause instanceof Error ? cause.message : String(cause));
}
