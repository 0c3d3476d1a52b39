// Keeps the workspaces of a task from being used again or removed while somebody looks at it, over the death of the
// daemon.

import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from './context.ts';

const againMs = 500;

/** Returns when it is held, or cannot be: looking is not refused for that. Ends with the signal. */
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
    // The daemon is gone, or we are to leave.
  }
}
