// The log of the daemon: one JSON document per line, a constant message with data in fields.

import type { Log, LogFields } from '../../ports/engine-ports.ts';

export interface DaemonLog extends Log {
  error(message: string, fields: LogFields): void;
}

export function createLog(write: (line: string) => void, now: () => number): DaemonLog {
  const note = (level: string) => (message: string, fields: LogFields) => {
    write(`${JSON.stringify({ at: new Date(now()).toISOString(), level, message, ...fields })}\n`);
  };
  return { info: note('info'), warn: note('warn'), error: note('error') };
}
