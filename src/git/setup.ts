// Sets a new workspace up as its repository says: with a kept result of the same setup where there is one, else by running
// it. Those that want the same result at once wait for the first to make it.

import { basename } from 'node:path';
import { Fault, isFault } from '../std/fault.ts';
import { hasDirectory } from './directory.ts';
import type { Layout } from './layout.ts';
import { portEnvironment } from './port-blocks.ts';
import { findScript, runScript, type ScriptMeans, scriptNames } from './repository-script.ts';
import { keepSetup, setupPlace, takeSetup } from './setup-cache.ts';
import { setupKey } from './setup-key.ts';
import { type ResultPlace, resultOf } from './setup-result.ts';
import type { TakeTurns } from './turns.ts';

export interface SetupContext {
  readonly layout: Layout;
  readonly takeTurns: TakeTurns;
  readonly scripts: ScriptMeans;
  /** Places of results that turned out to serve nowhere else: nobody need wait for them. */
  readonly unkept: Set<string>;
}

export interface SetupOrder extends ResultPlace {
  readonly bare: string;
  readonly port: number | null;
  readonly sandboxed: boolean;
}

export interface SetUp {
  /** What of it git ignores. */
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

/** The blob of its setup; null: it has none, and `notes` may say why. */
export async function findSetup(bare: string, base: string, signal: AbortSignal) {
  const found = await findScript(bare, base, scriptNames.setup, signal);
  if (found.kind === 'executable') return { setup: found.blob, notes: [] };
  if (found.kind === 'none') return { setup: null, notes: [] };
  const note = `${scriptNames.setup} was not run: it is not an executable file ("git update-index --chmod=+x" makes it one)`;
  return { setup: null, notes: [note] };
}

/** The workspace is at its place: what a setup makes may name it. */
export async function setUp(
  context: SetupContext,
  order: SetupOrder,
  setup: string,
  signal: AbortSignal,
): Promise<SetUp> {
  const { bare, base, workspace } = order;
  const key = await setupKey(bare, base, setup, signal);
  const place = key === null ? null : setupPlace(context.layout, basename(bare), key);
  if (place === null || context.unkept.has(place)) return runSetup(context, order, null, signal);
  const found = await takeSetup(place, workspace, signal);
  if (found !== null) return { names: found, notes: [] };
  const make = async (): Promise<SetUp | null> => {
    const settled = context.unkept.has(place) || (await hasDirectory(place));
    return settled ? null : runSetup(context, order, place, signal);
  };
  const made = await context.takeTurns(place, make, signal);
  if (made !== null) return made;
  const taken = await takeSetup(place, workspace, signal);
  return taken === null ? runSetup(context, order, null, signal) : { names: taken, notes: [] };
}

async function runSetup(
  { scripts, unkept }: SetupContext,
  order: SetupOrder,
  place: string | null,
  signal: AbortSignal,
): Promise<SetUp> {
  const { workspace, scratch, bare, port, sandboxed } = order;
  const failed = await runScript(
    scripts,
    {
      file: `${workspace}/${scriptNames.setup}`,
      workspace,
      scratch,
      readable: [`${bare}/objects`],
      env: portEnvironment(port),
      sandboxed,
      timeoutMs: setupTimeoutMs,
    },
    signal,
  );
  if (failed !== null) throw new Fault('setup_failed', `${scriptNames.setup} failed: ${failed}`);
  const { names, bound } = await resultOf(order, signal);
  if (place === null) return { names, notes: [] };
  if (bound !== null || names.length === 0) {
    unkept.add(place);
    return { names, notes: bound === null ? [] : [`the result of ${scriptNames.setup} is not kept, because ${bound}`] };
  }
  try {
    await keepSetup({ place, scratch, workspace }, names, signal);
    return { names, notes: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (!isFault(error)) throw error;
    return { names, notes: [`the result of ${scriptNames.setup} could not be kept: ${error.message}`] };
  }
}

const setupTimeoutMs = 30 * 60_000;
