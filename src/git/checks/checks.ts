// Checks: commands that prove something about a commit by exiting 0, each run in the agent's sandbox on a checkout of its own.
// Results are kept by tree, command and environment, and none is computed twice, not even after a crash. A failure that says
// nothing about the tree is a Fault and not a result: no checkout, no sandbox, no disk space, cancelled.

import type { CheckSpec, EvidenceItem } from '../../ports/proof-port.ts';
import { trustedPath } from '../../process/confine.ts';
import { must } from '../../std/assert.ts';
import { Fault } from '../../std/fault.ts';
import { createTurns } from '../../std/keyed-queue.ts';
import type { ConfineCommand } from '../commands/confined-command.ts';
import { git, isCommitId } from '../commands/git.ts';
import { openLayout } from '../commands/layout.ts';
import { type CheckQuestion, environmentOf, keyOf } from './check-key.ts';
import {
  type CheckResult,
  type CheckRun,
  openLog,
  readLog,
  readResult,
  removeLog,
  writeResult,
} from './check-results.ts';
import { runCheck } from './check-run.ts';
import { findCheckSetup } from './check-setup.ts';

export interface ChecksOptions {
  /** The root of the workspaces. */
  readonly root: string;
  /** Where checks find their programs. */
  readonly path?: string;
  readonly confine?: ConfineCommand;
}

export interface Checks {
  /** Runs all checks in this order, also after one that failed. */
  run(order: ChecksOrder, signal: AbortSignal): Promise<readonly EvidenceItem[]>;
}

export interface ChecksOrder {
  /** Our own repository, which has the commit. */
  readonly bare: string;
  readonly commit: string;
  readonly checks: readonly CheckSpec[];
  /** Whether the checks run in a sandbox, as the agent did whose code they run. */
  readonly sandboxed: boolean;
  /** A shell command that sets up a checkout without a `.signalbox/setup` of its own; left out = none. */
  readonly usualSetup?: string;
  /** Failures before this time no longer count. */
  readonly failuresSince?: number;
}

export function createChecks({ root, path = trustedPath, confine }: ChecksOptions): Checks {
  // Of two callers that want the same result at the same time, one runs it and the other finds it.
  const takeTurns = createTurns();
  const takeSetupTurns = createTurns();
  const unkept = new Set<string>();
  return {
    async run({ bare, commit, checks, sandboxed, usualSetup, failuresSince = 0 }, signal) {
      if (checks.length === 0) return [];
      const layout = await openLayout(root);
      const scripts = { path, confine: confine ?? null };
      const means = { ...scripts, setup: { layout, takeTurns: takeSetupTurns, scripts, unkept } };
      const tree = await treeOf(bare, commit, signal);
      const setup = await findCheckSetup(bare, tree, usualSetup, signal);
      const items: EvidenceItem[] = [];
      for (const { name, argv, timeoutMs, retries = 0 } of checks) {
        const environment = await environmentOf(argv, { path, sandboxed });
        const question = { tree, argv, timeoutMs, environment, setup };
        const wanted = { key: keyOf(question), question, retries, failuresSince };
        const run = () => runCheck(means, { bare, commit, tree, setup, name, argv, timeoutMs, sandboxed }, signal);
        const answer = await takeTurns(wanted.key, () => findOrRun(layout.checks, wanted, run), signal);
        items.push({ check: name, ...answer, tree, key: wanted.key });
      }
      return items;
    },
  };
}

interface Wanted {
  readonly key: string;
  readonly question: CheckQuestion;
  readonly retries: number;
  readonly failuresSince: number;
}

/** Every run is stored when it ends, so that a crash between two loses neither. */
async function findOrRun(
  folder: string,
  { key, question, retries, failuresSince }: Wanted,
  run: () => Promise<CheckRun & { readonly output: Buffer }>,
): Promise<Omit<EvidenceItem, 'check'>> {
  let result = await readResult(folder, key);
  if (result !== null && isOutdated(result, retries, failuresSince)) result = null;
  let ran = 0;
  for (;;) {
    const counted = result === null ? null : countedRuns(result.runs, retries);
    if (result !== null && counted !== null) return { ...told(counted), log: result.log, known: ran === 0 };
    const before: CheckResult | null = result;
    result = await keepRun(folder, { key, ...question }, before, run);
    if (before !== null && ran > 0) await removeLog(folder, before.log);
    ran += 1;
  }
}

async function keepRun(
  folder: string,
  question: CheckQuestion & { readonly key: string },
  before: CheckResult | null,
  run: () => Promise<CheckRun & { readonly output: Buffer }>,
): Promise<CheckResult> {
  const log = await openLog(folder, question.key);
  try {
    const { output, ...end } = await run();
    const runs = [...(before?.runs ?? []), end];
    const former = before === null ? [] : [await readLog(folder, before.log), Buffer.from(headline(runs.length))];
    await log.finish(Buffer.concat([...former, output]));
    const result = { ...question, runs, log: log.name };
    await writeResult(folder, result);
    return result;
  } catch (error) {
    await log.discard();
    throw error;
  }
}

function headline(n: number): string {
  return `\n[signalbox: run ${n}]\n`;
}

/**
 * The runs that decide the result: up to the first that passed, or as many as the retries allow. null: another run is
 * needed.
 */
function countedRuns(runs: readonly CheckRun[], retries: number): readonly CheckRun[] | null {
  const passed = runs.findIndex((run, i) => run.passed && i <= retries);
  if (passed >= 0) return runs.slice(0, passed + 1);
  return runs.length > retries ? runs.slice(0, retries + 1) : null;
}

function isOutdated({ runs }: CheckResult, retries: number, failuresSince: number): boolean {
  const failed = runs.slice(0, retries + 1).every(({ passed }) => !passed);
  return failed && runs.every(({ at }) => at < failuresSince);
}

function told(runs: readonly CheckRun[]): Pick<EvidenceItem, 'passed' | 'detail' | 'printed' | 'ms' | 'runs'> {
  const { passed, outcome, said, printed } = must(runs.at(-1), 'a result has a run');
  const which = runs.length === 1 ? '' : ` in run ${runs.length} of ${runs.length}`;
  const more = passed ? (runs.length === 1 ? '' : 'flaky') : said;
  const detail = `${outcome}${which}${more === '' ? '' : `: ${more}`}`;
  const shown = passed || printed === '' ? {} : { printed };
  return { passed, detail, ...shown, ms: runs.reduce((sum, run) => sum + run.ms, 0), runs: runs.length };
}

async function treeOf(bare: string, commit: string, signal: AbortSignal): Promise<string> {
  if (!isCommitId(commit)) throw new Fault('bad_request', `${JSON.stringify(commit)} is not the id of a commit`);
  const { stdout } = await git(['rev-parse', '--verify', `${commit}^{tree}`], { env: { GIT_DIR: bare }, signal });
  return stdout.trim();
}
