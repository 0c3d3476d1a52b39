// What an agent may use up when nobody says otherwise, and what it means to use more. Pure: who measures is elsewhere.

import type { CapReason } from './command.ts';
import type { TaskCaps } from './spec.ts';

export const usualCaps: TaskCaps = {
  outputBytes: 1 << 30,
  memoryBytes: 8 * 2 ** 30,
  processesMax: 1_000,
  stallMs: 15 * 60_000,
  toolStallMs: 60 * 60_000,
};

/** One look at a launch: the sums are over everything it has started. */
export interface Measure {
  readonly outBytes: number;
  readonly errBytes: number;
  readonly memoryBytes: number;
  readonly processes: number;
}

export interface Excess {
  readonly reason: CapReason;
  readonly detail: string;
}

/** The first cap that is passed; null when all is well. `silentMs`: how long nothing was printed in a turn under way. */
export function excessOf(caps: TaskCaps, measure: Measure, silentMs: number): Excess | null {
  const printed = measure.outBytes + measure.errBytes;
  if (printed > caps.outputBytes) {
    return {
      reason: 'output-limit',
      detail: `it printed ${megabytes(printed)}, its cap is ${megabytes(caps.outputBytes)}`,
    };
  }
  if (measure.memoryBytes > caps.memoryBytes) {
    const used = megabytes(measure.memoryBytes);
    return { reason: 'out-of-memory', detail: `it used ${used} of memory, its cap is ${megabytes(caps.memoryBytes)}` };
  }
  if (measure.processes > caps.processesMax) {
    return {
      reason: 'spawn-refused',
      detail: `it ran ${measure.processes} processes, its cap is ${caps.processesMax}`,
    };
  }
  if (silentMs >= caps.stallMs) {
    return {
      reason: 'stall',
      detail: `it printed nothing for ${Math.round(silentMs / 1_000)} s in the middle of a turn`,
    };
  }
  return null;
}

/** Rounded up: what is over its cap must not read as if it were at it. */
function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
