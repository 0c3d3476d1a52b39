// Follows one run to its end: live rows on a terminal, plain lines elsewhere. Ctrl-C leaves the run alone.

import { isFault } from '../../std/fault.ts';
import { plainLine, shownJson } from '../../std/plain-text.ts';
import type { RunEvent } from '../../wire/event-names.ts';
import { mayCallPeople } from '../../wire/notices.ts';
import { type RunView, runView } from '../../wire/views.ts';
import { type Context, exits } from '../client/context.ts';
import { followEvents, sayReturn } from '../client/follow-events.ts';
import { createTightness, stuckOn } from '../client/stuck-run.ts';
import { startLive } from '../terminal/live-rows.ts';
import { createNotifier } from '../terminal/ring-bell.ts';
import { createProgress } from '../text/event-text.ts';
import { exitFor } from '../text/summary.ts';
import { endOf } from './tell-end.ts';
import { createWaits } from './waits-for-people.ts';

/** How events are shown. */
interface Shown {
  event(event: RunEvent, isNew: boolean): void | Promise<void>;
  say(line: string): void | Promise<void>;
  /** Nothing more is shown; `over`: the run has ended and its summary follows. */
  end(over: boolean): Promise<void>;
}

export interface FollowOptions {
  readonly json?: boolean | undefined;
  /** Ids and paths at the end. */
  readonly verbose?: boolean | undefined;
  /** Events up to this one have been seen. */
  readonly after?: number;
  /** Where its end is told; stdout if left out. */
  readonly tell?: (text: string) => void;
}

/** The exit code is that of the outcome. */
export async function followRun(context: Context, started: RunView, options: FollowOptions): Promise<number> {
  const { json = false, after = 0, tell = null } = options;
  const { client, terminal } = context;
  const leave = new AbortController();
  process.once('SIGINT', () => leave.abort());
  const notifier = createNotifier(context);
  notifier.know([started]);
  // Open asks from before are still to be announced.
  notifier.see([started]);
  const shown = (json ? null : liveShown(context, started)) ?? plainShown(context, started, json || tell !== null);
  try {
    // From the first event on, so that every name is known; what was seen before is not shown again.
    const following = {
      after: 0,
      follow: true,
      signal: leave.signal,
      onReturn: sayReturn((line) => void shown.say(line)),
    };
    const waits = createWaits();
    const isTight = createTightness();
    for await (const { seq, event } of followEvents(client, started.id, following)) {
      await shown.event(event, seq > after);
      const worthALook = [waits(event), isTight(event)].includes(true);
      if (seq > after && mayCallPeople(event)) notifier.see([await client.get(`/runs/${started.id}`, runView)]);
      if (event.type === 'run.ended' && seq > after) break;
      if (!worthALook || seq < started.seq || terminal.isWatched) continue;
      const waiting = await client.get(`/runs/${started.id}`, runView);
      const stuck = stuckOn(waiting);
      if (stuck === null) continue;
      await shown.end(false);
      // The view may be newer than the events so far.
      notifier.see([waiting]);
      if (json && tell === null) await terminal.print(`${shownJson(waiting)}\n`);
      terminal.note(`${stuck.words}\n${howToFollow(started)}`.trimEnd());
      return stuck.exit;
    }
  } catch (error) {
    await shown.end(false);
    if (!leave.signal.aborted && !isFault(error, 'store_closed')) throw error;
    terminal.note(leave.signal.aborted ? '' : (error as Error).message);
    terminal.note(`The run continues without this terminal.\n${howToFollow(started)}`.trimEnd());
    return leave.signal.aborted ? exits.detached : exits.daemon;
  }
  await shown.end(true);
  const ended = await client.get(`/runs/${started.id}`, runView);
  const told = json ? `${shownJson(ended)}\n` : await endOf(context, ended, options.verbose === true);
  if (tell === null) await terminal.print(told);
  else tell(told.trimEnd());
  return exitFor(ended);
}

export function howToFollow({ id }: RunView): string {
  return `watch it: signalbox ps --watch ${id}\nstop it:  signalbox stop ${id}\n`;
}

function plainShown({ terminal }: Context, { id, name, tasks }: RunView, json: boolean): Shown {
  const progress = createProgress(tasks.map((task) => task.name));
  const say = (line: string): void | Promise<void> => (json ? terminal.note(line) : terminal.print(`${line}\n`));
  const begun = Promise.resolve(say(`${id}  ${name}`));
  return {
    say,
    async event(event, isNew) {
      await begun;
      const line = progress(event);
      if (line !== null && isNew) await say(line);
    },
    end: () => begun,
  };
}

function liveShown({ client, terminal, place }: Context, started: RunView): Shown | null {
  const screen = terminal.screen(place.look);
  if (screen === null) return null;
  const endedAt = new Map<string, number>();
  screen.say(plainLine(started.name));
  const live = startLive({
    screen,
    look: place.look,
    endedAt,
    async fetch() {
      // Whether to start the daemon again is decided where its events are followed.
      const run = await client.getIfUp(`/runs/${started.id}`, runView);
      return run === null ? null : [run];
    },
    footer: (answered) =>
      answered ? 'Ctrl-C leaves; the run continues' : 'the daemon does not answer; agents continue',
  });
  return {
    say: (line) => screen.say(line),
    event(event) {
      if (event.type === 'task.ended') endedAt.set(event.taskId, event.at);
    },
    async end(over) {
      await live.end();
      if (over) screen.erase();
      else screen.release();
    },
  };
}
