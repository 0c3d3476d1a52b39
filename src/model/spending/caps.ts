// Default caps on an agent's resources, and what exceeding them means. Pure: measuring is done elsewhere.

import type { CapReason } from '../core/failure.ts';
import type { TaskCaps } from '../core/spec.ts';

export const usualCaps: Required<TaskCaps> = {
  outputBytes: 1 << 30,
  memoryBytes: 8 * 2 ** 30,
  processesMax: 1_000,
  stallMs: 15 * 60_000,
  toolStallMs: 60 * 60_000,
};

/** One measurement of a launch: the sums cover everything that it started. */
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

/** An agent that prints nothing in the middle of a turn. */
export interface Silence {
  /** How long it has printed nothing. */
  readonly ms: number;
  /** Its tool calls without a result, and its background work: it may be waiting for a long command. */
  readonly inFlight: () => readonly string[];
}

/** The first cap that is exceeded; null = none. */
export function excessOf(caps: TaskCaps, measure: Measure, silence: Silence | null): Excess | null {
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
  return silence === null ? null : stallOf(caps, silence);
}

/** `inFlight` is costly: it is called only when the shorter window has passed. */
function stallOf({ stallMs, toolStallMs = usualCaps.toolStallMs }: TaskCaps, { ms, inFlight }: Silence): Excess | null {
  if (ms < Math.min(stallMs, toolStallMs)) return null;
  const [call] = inFlight();
  if (ms < (call === undefined ? stallMs : toolStallMs)) return null;
  const where = call === undefined ? 'in the middle of a turn' : `while this was under way: ${call}`;
  return { reason: 'stall', detail: `it printed nothing for ${Math.round(ms / 1_000)} s ${where}` };
}

/** Rounded up: an amount over its cap must not read as if it were equal to it. */
function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
