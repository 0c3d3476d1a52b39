// Runs the repository's teardown once the work is saved: the base commit's file, whatever the agent changed in it. A
// failure is only a note.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { git } from '../commands/git.ts';
import { type Moment, setStamp } from '../workspace/change-stamp.ts';
import { findNewer } from '../workspace/changed-since.ts';
import { portEnvironment } from '../workspace/port-blocks.ts';
import { findScript, runScript, type ScriptMeans, scriptNames } from './repository-script.ts';

export interface TeardownOrder {
  readonly bare: string;
  readonly base: string;
  readonly workspace: string;
  readonly scratch: string;
  readonly port: number | null;
  readonly sandboxed: boolean;
  /** Set before the work was read. */
  readonly savedStamp: string;
}

export interface TakenDown {
  /** When the stamp was set again: changes by a teardown are not work. null: unchanged. */
  readonly at: Moment | null;
  readonly notes: readonly string[];
}

export async function tearDown(scripts: ScriptMeans, order: TeardownOrder, signal: AbortSignal): Promise<TakenDown> {
  const { bare, base, workspace, scratch, port, sandboxed, savedStamp } = order;
  const name = scriptNames.teardown;
  try {
    const found = await findScript(bare, base, name, signal);
    if (found.kind === 'none') return { at: null, notes: [] };
    if (found.kind === 'unusable') return { at: null, notes: [`${name} was not run: it is not an executable file`] };
    const { stdout } = await git(['cat-file', 'blob', found.blob], {
      env: { GIT_DIR: bare },
      signal,
      encoding: 'latin1',
    });
    const file = join(scratch, 'teardown');
    await writeFile(file, stdout, { encoding: 'latin1', mode: 0o755 });
    const readable = [join(bare, 'objects'), file];
    const env = portEnvironment(port);
    const script = { file, workspace, scratch, readable, env, sandboxed, timeoutMs: teardownTimeoutMs };
    // Changes made after the work was read are not saved, so they are a reason to keep the workspace.
    const { names: later } = await findNewer(workspace, savedStamp, signal);
    const failed = await runScript(scripts, script, signal);
    const at = later.length === 0 ? await setStamp(savedStamp) : null;
    return { at, notes: failed === null ? [] : [`${name} failed: ${failed}`] };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { at: null, notes: [`${name} could not be run: ${error.message}`] };
  }
}

const teardownTimeoutMs = 5 * 60_000;
