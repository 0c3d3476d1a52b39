// Redraws the rows of running agents until told to end: fetch, draw, pause. Display only: callers report ends and lost
// daemons.

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
  /** null: the daemon does not answer; the last rows stay. */
  fetch(): Promise<readonly RunView[] | null>;
  footer(answered: boolean): string;
  /** The marked task; left out = rows cannot be selected. */
  selected?(): string | null;
  /** Called with everything fetched. */
  onSeen?(runs: readonly RunView[]): void;
}

export interface Live {
  redraw(): void;
  /** Nothing is drawn until `resume`: another program has the terminal. */
  pause(): void;
  resume(): void;
  /** Resolves when the last frame is drawn; rejects with an earlier error. */
  end(): Promise<void>;
}

const frameMs = 250;
/** At most a tenth of the time is spent fetching. */
const lookShare = 10;

export function startLive(options: LiveOptions): Live {
  const { screen } = options;
  const ends = new AbortController();
  let seen: readonly RunView[] = [];
  let answered = true;
  let paused = false;
  const draw = (): void => {
    if (paused) return;
    const { columns, rows } = screen.size();
    const paint = createPaint(options.look.colour);
    const { endedAt } = options;
    const footer = options.footer(answered);
    const selection = options.selected === undefined ? {} : { selected: options.selected() };
    screen.draw(sheetLines({ runs: seen, endedAt, now: Date.now(), columns, rows, paint, footer, ...selection }));
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
  // After Ctrl-Z and fg the lines above the cursor are no longer ours.
  const onContinue = (): void => screen.release();
  process.on('SIGCONT', onContinue);
  const done = goOn();
  // The caller of `end` sees the error.
  done.catch(() => undefined);
  return {
    redraw: draw,
    pause() {
      paused = true;
      screen.erase();
    },
    resume() {
      paused = false;
      screen.release();
      draw();
    },
    async end() {
      ends.abort();
      forget();
      process.off('SIGCONT', onContinue);
      await done;
    },
  };
}
