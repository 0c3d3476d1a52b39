// Reports changes in a directory, where the system can. A report is only a hint: the receiver looks by itself, and also
// looks now and then without one.

import { type FSWatcher, watch } from 'node:fs';
import { noteActivity } from '../table/last-activity.ts';
import { pause } from './poll-wait.ts';

export interface Bell {
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Until a change, or `toldMs`; where changes are not told, `untoldMs`. */
  pauseUnlessTold(times: { toldMs: number; untoldMs: number }, signal: AbortSignal): Promise<void>;
  /** Ends the pause under way. */
  ring(): void;
  close(): void;
}

export function createBell(path: string): Bell {
  let watcher: FSWatcher | null = null;
  let ring: (() => void) | null = null;
  let refused = !canWatch;

  const close = (): void => {
    watcher?.close();
    watcher = null;
  };
  const rung = (): void => {
    // Off until all is quiet again: a notification for each write of a busy agent costs more than polling it.
    close();
    noteActivity(path);
    ring?.();
  };
  const listen = (): void => {
    try {
      watcher = watch(path, { persistent: false }, rung);
      watcher.on('error', () => {
        refused = true;
        rung();
      });
    } catch {
      close();
      // Watches are few per user and may be taken. It will not be asked for again: polling does.
      refused = true;
    }
  };

  return {
    async pause(ms, signal) {
      await pause(ms, signal, (wake) => {
        ring = wake;
      });
      ring = null;
    },
    ring: () => ring?.(),
    async pauseUnlessTold({ toldMs, untoldMs }, signal) {
      if (watcher === null && !refused) {
        listen();
        // What was written before the watch began is not told.
        if (watcher !== null) return;
      }
      if (watcher === null) return pause(untoldMs, signal);
      await pause(toldMs, signal, (wake) => {
        ring = wake;
      });
      ring = null;
    },
    close,
  };
}

/** Elsewhere the system tells of a directory late or only of some changes. */
const canWatch = process.platform === 'linux';
