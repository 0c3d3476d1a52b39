// One run of one check, on a checkout of exactly one commit that is set up as the repository says, made for it and
// removed afterwards, since a check runs the agent's code and may change anything there. It throws where the run says
// nothing about the commit.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCappedBytes } from '../../std/capped-bytes.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { type CommandEnd, type ConfineCommand, runConfined } from '../commands/confined-command.ts';
import { failureLine, failureText, lastLine } from '../commands/failure-line.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import type { SetupContext } from '../setup/setup.ts';
import { checkOut } from '../workspace/checkout.ts';
import type { CheckRun } from './check-results.ts';
import { type CheckSetup, setUpCheckout } from './check-setup.ts';

export interface CheckMeans {
  readonly path: string;
  readonly confine: ConfineCommand | null;
  readonly setup: SetupContext;
}

export interface RunOrder {
  readonly bare: string;
  readonly commit: string;
  readonly tree: string;
  /** null: the tree has none. */
  readonly setup: CheckSetup | null;
  readonly name: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly sandboxed: boolean;
}

/** How much of the beginning and of the end of the output is kept. */
const keptBytes = { headMax: 2 ** 20, tailMax: 2 ** 20 };

export async function runCheck(
  { path, confine, setup: context }: CheckMeans,
  { bare, commit, tree, setup, name, argv, timeoutMs, sandboxed }: RunOrder,
  signal: AbortSignal,
): Promise<CheckRun & { readonly output: Buffer }> {
  if (sandboxed && confine === null) throw unrun(name, 'it was to run in a sandbox, and there is none');
  return withScratch(context.layout.scratch, async (scratch) => {
    const cwd = join(scratch, 'checkout');
    const index = join(scratch, 'index');
    const ownIndex = setup === null ? {} : { index };
    await checkOut({ bare, path: cwd, commit, branch: null, config: { 'gc.auto': '0' }, ...ownIndex }, signal);
    if (setup !== null) {
      const about = { bare, commit, tree, checkout: cwd, index, scratch, sandboxed };
      await setUpCheckout(context, setup, about, signal).catch((error: unknown) => {
        if (!isFault(error, 'setup_failed')) throw error;
        throw new Fault('setup_failed', unrunWords(name, error.message), { cause: error });
      });
    }
    const home = join(scratch, 'home');
    await mkdir(home);
    const printed = createCappedBytes(keptBytes);
    const readable = [join(bare, 'objects')];
    const limits = { readable, sandboxed, timeoutMs, graceMs: 0, onOutput: printed.push };
    const began = performance.now();
    const end = await runConfined({ argv, cwd, home, path, ...limits }, confine, signal);
    const said = lastLine(end.output);
    if (end.unrun) throw unrun(name, said === '' ? end.outcome : `${end.outcome}: ${said}`);
    const ms = Math.round(performance.now() - began);
    const output = printed.whole(leftOut);
    return { passed: end.ok, outcome: end.outcome, ...toldOf(end, output), at: Date.now(), ms, output };
  });
}

/** The parts of the output that a person would look at. */
function toldOf({ ok, output: end }: CommandEnd, output: Buffer): Pick<CheckRun, 'said' | 'printed'> {
  // If the command was not started, only the sandbox can have printed anything.
  if (ok || lastLine(end) === '') return { said: '', printed: '' };
  const text = output.subarray(-searchedBytes).toString('utf8');
  const said = failureLine(text) || 'it printed nothing but notices of its tools';
  return { said, printed: failureText(text, printedMax) };
}

const searchedBytes = 512 * 1024;
const printedMax = 2_000;

function leftOut(bytes: number): string {
  return `\n[signalbox: ${bytes} bytes were left out here]\n`;
}

function unrun(name: string, why: string): Fault {
  return new Fault('launch_failed', unrunWords(name, why));
}

function unrunWords(name: string, why: string): string {
  return `check "${name}" could not be run: ${why}`;
}
