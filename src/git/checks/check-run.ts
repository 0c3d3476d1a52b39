// One run of one check, on a checkout of exactly one commit that is made for it and removed afterwards, since a check
// runs the agent's code and may change anything there. It throws where the run says nothing about the commit.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCappedBytes } from '../../std/capped-bytes.ts';
import { Fault } from '../../std/fault.ts';
import { type ConfineCommand, runConfined } from '../commands/confined-command.ts';
import { lastLine } from '../commands/failure-line.ts';
import { withScratch } from '../commands/scratch-directories.ts';
import { checkOut } from '../workspace/checkout.ts';
import type { CheckRun } from './check-results.ts';

export interface CheckMeans {
  readonly scratch: string;
  readonly path: string;
  readonly confine: ConfineCommand | null;
}

export interface RunOrder {
  readonly bare: string;
  readonly commit: string;
  readonly name: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly sandboxed: boolean;
}

/** Of what a run printed: so much of its beginning and of its end. */
const keptBytes = { headMax: 2 ** 20, tailMax: 2 ** 20 };

export async function runCheck(
  { scratch: parent, path, confine }: CheckMeans,
  { bare, commit, name, argv, timeoutMs, sandboxed }: RunOrder,
  signal: AbortSignal,
): Promise<CheckRun & { readonly output: Buffer }> {
  if (sandboxed && confine === null) throw unrun(name, 'it was to run in a sandbox, and there is none');
  return withScratch(parent, async (scratch) => {
    const cwd = join(scratch, 'checkout');
    await checkOut({ bare, path: cwd, commit, branch: null, config: { 'gc.auto': '0' } }, signal);
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
    return { passed: end.ok, outcome: end.outcome, said, at: Date.now(), ms, output: printed.whole(leftOut) };
  });
}

function leftOut(bytes: number): string {
  return `\n[signalbox: ${bytes} bytes were left out here]\n`;
}

function unrun(name: string, why: string): Fault {
  return new Fault('launch_failed', `check "${name}" could not be run: ${why}`);
}
