// The default stall windows of scripted agents.

import type { StallWindows } from '../../ports/harness.ts';
import { minuteMs } from '../stall-windows.ts';

/** The same as Claude Code's, so that plans for it can be tried with a script. */
export const scriptedStall: StallWindows = { stallMs: 15 * minuteMs, toolStallMs: 60 * minuteMs };
