// Reports changes in a directory, where the system can. A report is only a hint: the receiver looks by itself, and also
// looks now and then without one.

import { type FSWatcher, watch } from 'node:fs';
import { noteActivity } from '../table/last-activity.ts';
import { pause } from './poll-wait.ts';

export interface Bell {
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Waits for a change, at most `toldMs`; where changes are not reported, `untoldMs`. */
  pauseUnlessTold(times: { toldMs: number; untoldMs: number }, signal: AbortSignal): Promise<void>;
  /** Ends the current pause. */
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
    // Off until the file is quiet again: a notification for each write of a busy agent costs more than polling.
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
      // A user has few watches, and all may be in use. It is not tried again: polling is enough.
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
        // What was written before the watch began is not reported.
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

/** Other systems report changes of a directory late, or only some of them. */
const canWatch = process.platform === 'linux';
