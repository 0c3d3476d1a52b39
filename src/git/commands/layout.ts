// The directories below the root, and their names. Every name is made of ids that match a pattern, so none can leave
// its directory, look like an option or be refused by git as a ref.

import { mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { WorkspaceOrder } from '../../ports/workspace-port.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf, syncDirectory } from '../../std/files.ts';

export interface Layout {
  /** A bare repository per project. */
  readonly projects: string;
  /** A checkout per attempt, the agent's own. */
  readonly workspaces: string;
  /** A link per attempt to the bare repository of its project. */
  readonly attempts: string;
  /** What a commit could not hold of an attempt's work. */
  readonly archives: string;
  /** What we know of each workspace. */
  readonly records: string;
  /** Holds on ended workspaces. */
  readonly holds: string;
  /** Ended workspaces that may be used again, by project. */
  readonly pool: string;
  /** The blocks of ports and their attempts. */
  readonly ports: string;
  /** What setups made, by project and key. */
  readonly setups: string;
  /** Results of checks, and what those printed. */
  readonly checks: string;
  /** Scratch directories. */
  readonly scratch: string;
}

const folders = [
  'projects',
  'workspaces',
  'attempts',
  'archives',
  'records',
  'holds',
  'pool',
  'ports',
  'setups',
  'checks',
  'scratch',
] as const;

export async function openLayout(root: string): Promise<Layout> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    // git prints and compares real paths.
    const real = await realpath(resolve(root));
    // A line of `alternates` cannot contain it.
    if (real.includes('\n'))
      throw new Fault('bad_request', 'the path of SIGNALBOX_HOME contains a line break: choose another directory');
    const layout = Object.fromEntries(folders.map((name) => [name, join(real, name)])) as unknown as Layout;
    for (const name of folders) await mkdir(layout[name], { recursive: true, mode: 0o700 });
    return layout;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOTDIR') {
      const path = (error as NodeJS.ErrnoException).path ?? root;
      throw new Fault('read_only', `${path} exists and is not a directory: move it away`, { cause: error });
    }
    throw diskFault(error, root);
  }
}

/** The names of an attempt. */
export interface AttemptNames {
  readonly workspace: string;
  readonly branch: string;
  /** Its saved work. */
  readonly ref: string;
  /** Below it: commits that the agent made beside its HEAD. */
  readonly othersRef: string;
  /** The commit it started from. */
  readonly baseRef: string;
}

export type AttemptName = Pick<WorkspaceOrder, 'runId' | 'taskId' | 'attemptId' | 'n'>;

export function namesOf(layout: Layout, order: AttemptName): AttemptNames {
  const { runId, taskId, attemptId, n } = order;
  for (const id of [runId, taskId, attemptId]) requireId(id);
  if (!Number.isSafeInteger(n) || n < 0) throw new Fault('bad_request', `${n} is not the number of an attempt`);
  return {
    workspace: join(layout.workspaces, attemptId),
    branch: `signalbox/${runId}/${taskId}-${n}`,
    ref: `refs/signalbox/${runId}/${taskId}/${n}`,
    othersRef: `refs/signalbox-others/${runId}/${taskId}/${n}`,
    baseRef: `refs/signalbox-base/${runId}/${taskId}/${n}`,
  };
}

/** The branch of a run, in a namespace of its own: below `refs/signalbox/<run>` every name is a task's. */
export function branchRefOf(runId: string): string {
  return `refs/signalbox-run/${requireId(runId)}`;
}

/** Records the project of an attempt: the user may move the repository meanwhile. */
export async function linkAttempt(layout: Layout, attemptId: string, project: string): Promise<void> {
  try {
    await symlink(join('..', 'projects', basename(project)), join(layout.attempts, requireId(attemptId)));
    await syncDirectory(layout.attempts);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw diskFault(error, layout.attempts);
  }
}

/** The bare repository that an attempt works with, or null before it was prepared. */
export async function projectOf(layout: Layout, attemptId: string): Promise<string | null> {
  try {
    return join(layout.projects, basename(await readlink(join(layout.attempts, requireId(attemptId)))));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskFault(error, layout.attempts);
  }
}

export function requireId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id)) return id;
  throw new Fault('bad_request', `${JSON.stringify(id)} is not an id`);
}
