// Keeps the workspaces of a task from being reused or removed while a person looks at it, across restarts of the daemon.

import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from './context.ts';

const againMs = 500;

/** Returns once they are held, or cannot be, which is no error. Ends with the signal. */
export async function holdWorkspaces({ client }: Context, taskId: string, signal: AbortSignal): Promise<void> {
  const first = await client.open(`/tasks/${taskId}/hold`, signal).catch(() => null);
  const stay = async (): Promise<void> => {
    for (
      let open = first;
      !signal.aborted;
      open = await client.open(`/tasks/${taskId}/hold`, signal).catch(() => null)
    ) {
      if (open !== null) await ended(open);
      await delay(againMs, undefined, { signal }).catch(() => undefined);
    }
  };
  void stay().catch(() => undefined);
}

async function ended(response: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of response);
  } catch {
    // The daemon exited, or the signal was aborted.
  }
}
