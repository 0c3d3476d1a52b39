// `signalbox ps --watch`: keeps showing runs and tasks. Does not restart a daemon that was shut down meanwhile.

import { setTimeout as delay } from 'node:timers/promises';
import { plainLine, shownJson } from '../../std/plain-text.ts';
import { shownTasks } from '../../wire/shown-tasks.ts';
import { type RunView, runList, runView } from '../../wire/views.ts';
import { type Context, exits } from '../client/context.ts';
import { followRun } from '../run/follow-run.ts';
import { endOf } from '../run/tell-end.ts';
import { tasksInRows } from '../text/rows.ts';
import { exitFor, taskWords } from '../text/summary.ts';
import { type KeyInput, openKeys } from './key-input.ts';
import { type Live, startLive } from './live-rows.ts';
import { createNotifier } from './ring-bell.ts';
import { createWatchKeys, interruptTask, runCommand, stopTask, type WatchKeys } from './watch-keys.ts';

const pollMs = 500;

/** Follows one run to its end, from its current state on. */
export async function watchRun(context: Context, run: RunView, json: boolean): Promise<number> {
  if (run.state !== 'ended') return followRun(context, run, { json, after: run.seq });
  await context.terminal.print(json ? `${shownJson(run)}\n` : await endOf(context, run, false));
  return exitFor(run);
}

/** All open runs, and those that end while watched, until a person leaves. */
export async function watchRuns(context: Context, json: boolean): Promise<number> {
  const { client, terminal, place } = context;
  await client.ensure();
  const leave = new AbortController();
  // While another command has the terminal, Ctrl-C is for that one.
  process.on('SIGINT', () => {
    if (keyed?.isBusy() !== true) leave.abort();
  });
  let keyed: WatchKeys | null = null;
  const left = new Promise<void>((resolve) => leave.signal.addEventListener('abort', () => resolve(), { once: true }));
  const look = createLook(context);
  const notifier = createNotifier(context);
  notifier.know((await look.fetch()) ?? []);
  const screen = json ? null : terminal.screen(place.look);
  if (screen === null) {
    await tellChanges(context, look, { json, see: notifier.see, signal: leave.signal });
    return exits.detached;
  }
  keyed = process.stdin.isTTY ? watchKeys(context, leave, () => [live, input]) : null;
  const live: Live = startLive({
    screen,
    look: place.look,
    endedAt: look.endedAt,
    fetch: look.fetch,
    onSeen(runs) {
      notifier.see(runs);
      keyed?.see(tasksInRows(runs));
    },
    footer(answered) {
      if (!answered) return 'no daemon: start it with "signalbox up"';
      return keyed?.footer() ?? 'Ctrl-C leaves; runs continue';
    },
    ...(keyed === null ? {} : { selected: keyed.selected }),
  });
  const input: KeyInput | null = keyed === null ? null : openKeys(process.stdin, keyed.press);
  await left;
  input?.close();
  await keyed?.drained();
  await live.end();
  screen.release();
  terminal.note('');
  return leave.signal.reason === 'quit' ? exits.ok : exits.detached;
}

function watchKeys(context: Context, leave: AbortController, shown: () => readonly [Live, KeyInput | null]): WatchKeys {
  return createWatchKeys({
    async open(args) {
      const [live, input] = shown();
      live.pause();
      input?.pause();
      try {
        await runCommand(context, args);
      } finally {
        input?.resume();
        live.resume();
      }
    },
    stop: (taskId) => stopTask(context, taskId),
    interrupt: (taskId) => interruptTask(context, taskId),
    redraw: () => shown()[0].redraw(),
    leave: (key) => leave.abort(key),
  });
}

interface LookAtRuns {
  readonly endedAt: Map<string, number>;
  fetch(): Promise<readonly RunView[] | null>;
}

function createLook({ client }: Context): LookAtRuns {
  const endedAt = new Map<string, number>();
  const seen = new Map<string, RunView>();
  const open = new Set<string>();
  const note = (run: RunView): void => {
    const before = seen.get(run.id)?.tasks ?? [];
    for (const [i, task] of run.tasks.entries()) {
      if (task.outcome !== null && before[i]?.outcome === null) endedAt.set(task.id, Date.now());
    }
    seen.set(run.id, run);
    if (run.state === 'ended') open.delete(run.id);
    else open.add(run.id);
  };
  return {
    endedAt,
    async fetch() {
      const list = await client.getIfUp('/runs?all=0', runList);
      if (list === null) return null;
      const there = new Set(list.runs.map(({ id }) => id));
      for (const run of list.runs) note(run);
      for (const id of open) {
        const run = there.has(id) ? null : await client.getIfUp(`/runs/${id}`, runView);
        if (run !== null) note(run);
      }
      return [...seen.values()];
    },
  };
}

/** Without a terminal: one line per change, or with `json` one document. */
async function tellChanges(
  { terminal }: Context,
  look: LookAtRuns,
  { json, see, signal }: { json: boolean; see(runs: readonly RunView[]): void; signal: AbortSignal },
): Promise<void> {
  const told = new Map<string, string>();
  while (!signal.aborted) {
    const runs = (await look.fetch()) ?? [];
    see(runs);
    for (const run of runs) {
      const words = json
        ? [[run.id, shownJson(run)] as const]
        : shownTasks(run).map((task) => [task.id, `${plainLine(run.name)}/${task.name}  ${taskWords(task)}`] as const);
      for (const [id, line] of words) {
        if (told.get(id) === line) continue;
        told.set(id, line);
        await terminal.print(`${line}\n`);
      }
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
