// The unit in which each harness states its stall windows.

export const minuteMs = 60_000;
