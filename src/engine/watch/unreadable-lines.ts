// Reads an agent's lines with its harness and survives any bug there. A line that makes the harness throw would make it throw
// again after every restart, and nothing behind it would be seen, neither the end of the agent nor a stop. So such a line is
// skipped, and an agent that prints several of them is stopped with that reason.

import type { LaunchId } from '../../model/core/ids.ts';
import type { Harness, ReadStep } from '../../ports/harness.ts';
import type { EffectContext } from '../effects/run-effect.ts';

/** One may be a bug of ours; an agent that can no longer be understood is not worth its cost. */
export const unreadableMax = 3;

export interface LineSource {
  read(state: string, line: string): ReadStep;
  /** Asks to stop the agent once too many of its lines could not be read. */
  stopIfUnreadable(): Promise<void>;
}

export function createLineSource(
  { ports, send }: Pick<EffectContext, 'ports' | 'send'>,
  harness: Pick<Harness, 'read'>,
  launchId: LaunchId,
): LineSource {
  let unreadable = 0;
  let lastError = '';
  let isTold = false;
  return {
    read(state, line) {
      try {
        return harness.read(state, line);
      } catch (error) {
        unreadable += 1;
        lastError = error instanceof Error ? error.message : String(error);
        ports.log.warn('a line of an agent cannot be read', { launchId, error: lastError });
        return { state, events: [{ kind: 'garbage', text: line.slice(0, shownMax) }], replies: [] };
      }
    },
    async stopIfUnreadable() {
      if (isTold || unreadable < unreadableMax) return;
      isTold = true;
      const detail = `${unreadable} lines of its output could not be read: ${lastError}`.slice(0, detailMax);
      await send({ type: 'exceeded', launchId, reason: 'invalid-output', detail });
    },
  };
}

const shownMax = 200;
const detailMax = 500;
