// The default stall windows of command agents.

import type { StallWindows } from '../../ports/harness.ts';
import { minuteMs } from '../stall-windows.ts';

/** The command is one long call: many a program prints nothing until it is done. */
export const commandStall: StallWindows = { stallMs: 60 * minuteMs, toolStallMs: 60 * minuteMs };
