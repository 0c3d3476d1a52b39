// A workspace as Signalbox makes it, for the tests of the sandbox.

import { join } from 'node:path';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import type { SandboxWorld } from '../../conformance/sandbox-world.ts';
import { makeRepository } from '../daemon/daemon-world.ts';

export async function openGitWorld(
  { dir, home }: SandboxWorld,
  signal: AbortSignal,
): Promise<{ path: string; objects: string }> {
  const repository = join(dir, 'repository');
  makeRepository(repository);
  const workspaces = await openWorkspaces({ root: join(home, 'work') });
  const repo = { path: repository, base: 'HEAD' };
  const order = {
    runId: 'run_1',
    taskId: 'task_1',
    attemptId: 'attempt_7',
    n: 1,
    repo,
    keeps: true,
    sandboxed: false,
    title: 'x',
    at: 0,
  };
  const { path } = await workspaces.prepare(order, signal);
  const [objects = ''] = await workspaces.borrowed('attempt_7');
  return { path, objects };
}
