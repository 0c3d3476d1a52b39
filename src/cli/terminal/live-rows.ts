// Draws a sheet of rows again and again while something is awaited: a look at the daemon, a frame, a pause. Shows only;
// that something ended, or that the daemon left, is for whoever awaits it to say.

import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../std/fault.ts';
import type { RunView } from '../../wire/views.ts';
import type { Look } from '../client/context.ts';
import { createPaint } from '../text/paint.ts';
import { sheetLines } from '../text/rows.ts';
import type { Screen } from './screen.ts';

export interface LiveOptions {
  readonly screen: Screen;
  readonly look: Look;
  readonly endedAt: ReadonlyMap<string, number>;
  /** null: nobody answers at the moment; what was seen last stays. */
  fetch(): Promise<readonly RunView[] | null>;
  footer(answered: boolean): string;
  /** Told of everything that was seen. */
  onSeen?(runs: readonly RunView[]): void;
}

export interface Live {
  /** Resolves when the last frame is drawn; rejects with what went wrong in between. */
  end(): Promise<void>;
}

const frameMs = 250;
/** Of the time, so much at most is spent on looking. */
const lookShare = 10;

export function startLive(options: LiveOptions): Live {
  const { screen } = options;
  const ends = new AbortController();
  let seen: readonly RunView[] = [];
  let answered = true;
  const draw = (): void => {
    const { columns, rows } = screen.size();
    const paint = createPaint(options.look.colour);
    const { endedAt } = options;
    const footer = options.footer(answered);
    screen.draw(sheetLines({ runs: seen, endedAt, now: Date.now(), columns, rows, paint, footer }));
  };
  const look = async (): Promise<void> => {
    const runs = await options.fetch().catch((error: unknown) => {
      if (error instanceof Fault) return null;
      throw error;
    });
    answered = runs !== null;
    if (runs === null) return;
    seen = runs;
    options.onSeen?.(runs);
  };
  const goOn = async (): Promise<void> => {
    while (!ends.signal.aborted) {
      const from = performance.now();
      await look();
      if (ends.signal.aborted) return;
      draw();
      const pause = Math.max(frameMs, (performance.now() - from) * lookShare);
      await delay(pause, undefined, { signal: ends.signal }).catch(() => undefined);
    }
  };
  const forget = screen.onResize(draw);
  // Stopped by the shell and taken up again: what stands above the cursor is no longer ours.
  const onContinue = (): void => screen.release();
  process.on('SIGCONT', onContinue);
  const done = goOn();
  // Its owner looks when it ends.
  done.catch(() => undefined);
  return {
    async end() {
      ends.abort();
      forget();
      process.off('SIGCONT', onContinue);
      await done;
    },
  };
}
