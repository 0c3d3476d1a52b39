// The stall windows of scripted agents, where a task does not say otherwise.

import type { StallWindows } from '../../ports/harness.ts';
import { minuteMs } from '../stall-windows.ts';

/** As Claude Code: what is to be run with that can be tried with a script. */
export const scriptedStall: StallWindows = { stallMs: 15 * minuteMs, toolStallMs: 60 * minuteMs };
