// Time is passed in through this port, so that the simulator can control it.

export interface Clock {
  /** Milliseconds since the epoch. May jump in either direction. */
  now(): number;
  /** Calls back once at or after `at`; the returned function cancels. */
  wake(at: number, callback: () => void): () => void;
}

export const systemClock = clockAhead(0);

/** The system's clock, ahead by this much. */
export function clockAhead(ms: number): Clock {
  const now = (): number => Date.now() + ms;
  return {
    now,
    wake(at, callback) {
      const timer = setTimeout(callback, Math.min(Math.max(0, at - now()), timerMaxMs));
      return () => clearTimeout(timer);
    },
  };
}

/** Longer waits overflow the timer and would fire at once. */
const timerMaxMs = 2 ** 31 - 1;

export interface Day {
  /** As in 2026-11-16. */
  readonly name: string;
  readonly beginsAt: number;
  readonly endsAt: number;
}

/** The local day of a moment. It is needed several times at every tick: the last one is cached. */
export function localDay(at: number): Day {
  if (at < lastDay.beginsAt || at >= lastDay.endsAt) lastDay = findDay(at);
  return lastDay;
}

let lastDay: Day = { name: '', beginsAt: 0, endsAt: 0 };

function findDay(at: number): Day {
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return {
    name: `${year}-${pad(month + 1)}-${pad(day)}`,
    beginsAt: new Date(year, month, day).getTime(),
    endsAt: new Date(year, month, day + 1).getTime(),
  };
}

/** For people, in local time. With the date if it is another day than `now`. */
export function localTime(at: number, now = at): string {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
  const day = localDay(at).name;
  return day === localDay(now).name ? time : `${day} ${time}`;
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}
