// Rings the terminal bell once per notice while runs are watched. The daemon sends all other notifications.

import { type Notice, noticesOf } from '../../wire/notices.ts';
import type { RunView } from '../../wire/views.ts';
import type { Context } from '../client/context.ts';

export interface Notifier {
  /** Marks existing notices as known, except those that still wait for an answer. */
  know(runs: readonly RunView[]): void;
  see(runs: readonly RunView[]): void;
}

/** The end of a shorter run rings no bell: its user is still there. */
const shortMs = 10_000;
/** Notices that stay until a person acts. */
const waits: ReadonlySet<Notice['kind']> = new Set(['asks', 'budget', 'limit']);

export function createNotifier({ place, terminal }: Pick<Context, 'place' | 'terminal'>): Notifier {
  const known = new Set<string>();
  return {
    know(runs) {
      for (const notice of noticesIn(runs)) if (!waits.has(notice.kind)) known.add(notice.key);
    },
    see(runs) {
      if (!place.notify.bell) return;
      for (const { key, kind, tookMs } of noticesIn(runs)) {
        if (known.has(key)) continue;
        known.add(key);
        if (kind !== 'ended' || tookMs >= shortMs) terminal.ring();
      }
    },
  };
}

function noticesIn(runs: readonly RunView[]): Notice[] {
  return runs.flatMap((run) => noticesOf(run, Date.now()));
}
