// The stall windows of codex agents, where a task does not say otherwise.

import type { StallWindows } from '../../ports/harness.ts';
import { minuteMs } from '../stall-windows.ts';

/** A model thinks for minutes without a word; a build that its agent waits for may take an hour. */
export const codexStall: StallWindows = { stallMs: 15 * minuteMs, toolStallMs: 60 * minuteMs };
