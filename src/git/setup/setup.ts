// Sets up a new workspace as its repository says: from a kept result of the same setup if there is one, else by running it.
// Workspaces that need the same result at the same time wait for the first to make it.

import { basename } from 'node:path';
import { Fault, isFault } from '../../std/fault.ts';
import type { TakeTurns } from '../../std/keyed-queue.ts';
import type { Layout } from '../commands/layout.ts';
import { hasDirectory } from '../commands/real-directory.ts';
import { portEnvironment } from '../workspace/port-blocks.ts';
import { findScript, runScript, runShell, type ScriptMeans, scriptNames } from './repository-script.ts';
import { keepSetup, originOf, type Spared, setupPlace, takeSetup } from './setup-cache.ts';
import { setupKey } from './setup-key.ts';
import { type ResultPlace, resultOf } from './setup-result.ts';

export interface SetupContext {
  readonly layout: Layout;
  readonly takeTurns: TakeTurns;
  readonly scripts: ScriptMeans;
  /** Keys of results that cannot be shared: no workspace waits for them. */
  readonly unkept: Set<string>;
}

export interface SetupOrder extends ResultPlace {
  readonly bare: string;
  readonly port: number | null;
  /** The command: a shell command, or null for the setup file of the repository. */
  readonly command: string | null;
  readonly sandboxed: boolean;
  /** Where the result of such a setup is kept; null: nowhere. */
  readonly place: string | null;
  /** Whether a new result may be kept for others. */
  readonly mayKeep: boolean;
  readonly spared: Spared;
}

export interface SetUp {
  /** The part of it that git ignores. */
  readonly names: readonly string[];
  readonly notes: readonly string[];
  /** The kept result that it is equal to, if there is one. */
  readonly origin: string | null;
}

/** How a commit is set up: by its own file, or by the command configured for its run. */
export interface FoundSetup {
  /** Identifies the same setup: the blob of the file, or the command. */
  readonly id: string;
  /** A shell command; null = the file is run. */
  readonly command: string | null;
}

/** null: it has none, and `notes` may say why. */
export async function findSetup(
  bare: string,
  base: string,
  usual: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly setup: FoundSetup | null; readonly notes: readonly string[] }> {
  const found = await findScript(bare, base, scriptNames.setup, signal);
  if (found.kind === 'executable') return { setup: { id: found.blob, command: null }, notes: [] };
  if (found.kind === 'none') {
    return { setup: usual === undefined ? null : { id: `sh -c ${usual}`, command: usual }, notes: [] };
  }
  const note = `${scriptNames.setup} was not run: it is not an executable file ("git update-index --chmod=+x" makes it one)`;
  return { setup: null, notes: [note] };
}

/** Where the result of this setup on that commit is kept, once there is one. */
export async function keptPlace(
  { layout, unkept }: SetupContext,
  bare: string,
  base: string,
  setup: FoundSetup | null,
  signal: AbortSignal,
): Promise<string | null> {
  const key = setup === null ? null : await setupKey(bare, base, setup.id, signal);
  const place = key === null ? null : setupPlace(layout, basename(bare), key);
  return place === null || unkept.has(place) ? null : place;
}

/** The workspace is in its final place: what a setup makes may contain its path. */
export async function setUp(context: SetupContext, order: SetupOrder, signal: AbortSignal): Promise<SetUp> {
  const { place } = order;
  if (place === null) return runSetup(context, order, null, signal);
  const found = await copied(place, order, signal);
  if (found !== null) return found;
  if (!order.mayKeep) return runSetup(context, order, null, signal);
  const make = async (): Promise<SetUp | null> => {
    const ended = context.unkept.has(place) || (await hasDirectory(place));
    return ended ? null : runSetup(context, order, place, signal);
  };
  const made = await context.takeTurns(place, make, signal);
  return made ?? (await copied(place, order, signal)) ?? runSetup(context, order, null, signal);
}

async function copied(place: string, { workspace, spared }: SetupOrder, signal: AbortSignal): Promise<SetUp | null> {
  const origin = await originOf(place);
  const names = await takeSetup({ place, workspace, spared }, signal);
  // It may have been made again meanwhile.
  return names === null ? null : { names, notes: [], origin: origin === (await originOf(place)) ? origin : null };
}

async function runSetup(
  { scripts, unkept }: SetupContext,
  order: SetupOrder,
  place: string | null,
  signal: AbortSignal,
): Promise<SetUp> {
  const { workspace, scratch, bare, port, command, sandboxed } = order;
  const env = portEnvironment(port);
  const about = { workspace, scratch, readable: [`${bare}/objects`], env, sandboxed, timeoutMs: setupTimeoutMs };
  const name = command === null ? scriptNames.setup : `the setup "${command}"`;
  const failed =
    command === null
      ? await runScript(scripts, { ...about, file: `${workspace}/${scriptNames.setup}` }, signal)
      : await runShell(scripts, { ...about, argv: ['sh', '-c', command] }, signal);
  if (failed !== null) throw new Fault('setup_failed', `${name} failed: ${failed}`);
  const { names, bound } = await resultOf(order, signal);
  if (place === null) return { names, notes: [], origin: null };
  if (bound !== null || names.length === 0) {
    unkept.add(place);
    const notes = bound === null ? [] : [`the result of ${name} is not kept, because ${bound}`];
    return { names, notes, origin: null };
  }
  try {
    await keepSetup({ place, scratch, workspace }, names, signal);
    return { names, notes: [], origin: await originOf(place) };
  } catch (error) {
    signal.throwIfAborted();
    if (!isFault(error)) throw error;
    return { names, notes: [`the result of ${name} could not be kept: ${error.message}`], origin: null };
  }
}

/** Files that git does not ignore are part of the task's work. */
export async function runTaskSetup(
  means: ScriptMeans,
  { workspace, scratch, bare, port, sandboxed }: SetupOrder,
  command: string,
  signal: AbortSignal,
): Promise<void> {
  const place = { workspace, scratch, readable: [`${bare}/objects`], env: portEnvironment(port), sandboxed };
  const failed = await runShell(means, { ...place, argv: ['sh', '-c', command], timeoutMs: setupTimeoutMs }, signal);
  if (failed !== null) throw new Fault('setup_failed', `the task's setup failed: ${failed}`);
}

const setupTimeoutMs = 30 * 60_000;
