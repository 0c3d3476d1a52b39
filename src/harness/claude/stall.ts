// The default stall windows of claude agents.

import type { StallWindows } from '../../ports/harness.ts';
import { minuteMs } from '../stall-windows.ts';

/** A model may think for minutes without output; a build that its agent waits for may take an hour. */
export const claudeStall: StallWindows = { stallMs: 15 * minuteMs, toolStallMs: 60 * minuteMs };
