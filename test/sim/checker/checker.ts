// The nine invariants, judged on one whole history: what the journal says against what the world did, in their
// common order. Written independently of src, so that a bug in the model cannot hide in its own judge.

import { hash } from 'node:crypto';
import { checkAllSent, checkNotices, noticeDue } from './asks/notice-rules.ts';
import { parse } from './attempts/output-rules.ts';
import { checkAskers, checkGoingOn } from './attempts/parking-rules.ts';
import type { History, HistoryCommit, HistoryEvent } from './history.ts';
import { checkLines, linesOf } from './spending/account-rules.ts';
import { checkBooked, compareBook } from './spending/budget-rules.ts';
import { type CommitDoings, checkDay, checkPaused, checkSlots, hostEvent, noDoings } from './spending/host-rules.ts';
import { checkTruth } from './spending/spending-rules.ts';
import { checkRunAtRest, runEvent } from './tasks/run-rules.ts';
import { newRun, newView } from './view/empty-view.ts';
import type { Data } from './view/event-data.ts';
import type { RunView } from './view/run-view.ts';
import { blame, type View, type Violation } from './view/view.ts';
import { witness } from './world-rules.ts';

export type { History } from './history.ts';
export { describe } from './report.ts';
export type { Violation } from './view/view.ts';

export interface CheckOptions {
  /** Recompute the hash chains: the only part that costs time. */
  readonly hashes?: boolean;
}

export function check(history: History, { hashes = false }: CheckOptions = {}): Violation[] {
  const view = newView();
  checkStreams(view, history, hashes);
  const { world, commits } = history;
  const heads = new Map<string, number>();
  let next = 0;
  for (let index = 0; index <= world.length; index++) {
    for (let commit = commits[next]; commit !== undefined; commit = commits[next]) {
      if (commit.worldIndex > index && index < world.length) break;
      applyCommit(view, history, commit, heads);
      next += 1;
    }
    const entry = world[index];
    view.stream = null;
    view.index = index;
    view.t = entry?.t ?? view.t;
    if (entry !== undefined) witness(view, entry);
  }
  checkEnd(view, history, heads);
  return view.violations;
}

const genesisHash = '0'.repeat(64);

function checkStreams(view: View, { streams }: History, hashes: boolean): void {
  for (const [name, events] of streams) {
    view.stream = name;
    let prevHash = genesisHash;
    for (const [i, event] of events.entries()) {
      view.index = event.seq;
      if (event.seq !== i + 1) return blame(view, 2, `event ${i + 1} of ${name} is missing`);
      if (event.stream !== name) blame(view, 2, `an event of ${event.stream} stands in ${name}`);
      if (!hashes) continue;
      if (event.prevHash !== prevHash) blame(view, 2, `event ${event.seq} of ${name} does not follow the one before`);
      if (hashOf(event) !== event.hash) blame(view, 2, `event ${event.seq} of ${name} does not match its hash`);
      prevHash = event.hash;
    }
  }
}

/** Each part that may contain anything has its length before it; the data comes last. */
function hashOf({ prevHash, stream, seq, at, type, data }: HistoryEvent): string {
  const text = [prevHash, stream.length, stream, seq, at, type.length, type, data].join(':');
  return hash('sha256', text);
}

function applyCommit(view: View, history: History, commit: HistoryCommit, heads: Map<string, number>): void {
  const doings = noDoings();
  view.engine = commit.engine;
  view.t = commit.t ?? view.t;
  view.worldIndex = commit.worldIndex;
  const runs: RunView[] = [];
  const lines = linesOf(view);
  view.usedUpNow.clear();
  view.refusedNow = Array.from(commit.heads).some(([stream, head]) => {
    const fresh = history.streams.get(stream)?.slice(heads.get(stream) ?? 0, head) ?? [];
    return fresh.some(({ type }) => type === 'attempt.limited');
  });
  // A host's events speak of attempts: those come first.
  for (const hosts of [false, true]) {
    for (const [stream, head] of commit.heads) {
      if (stream.startsWith('host/') !== hosts) continue;
      const run = hosts ? null : runOf(view, stream);
      if (run !== null) runs.push(run);
      view.stream = stream;
      const from = heads.get(stream) ?? 0;
      view.index = head;
      if (head <= from) blame(view, 2, `the head of ${stream} went from ${from} to ${head}`);
      for (let at = from; at < head; at++) apply(view, history.streams.get(stream)?.[at], at + 1, run, doings);
      heads.set(stream, head);
    }
  }
  checkSlots(view, doings);
  checkPaused(view);
  checkLines(view, lines, doings);
  checkDay(view, doings);
  checkGoingOn(view, doings);
  checkAskers(view, doings);
  checkNotices(view);
  for (const attempt of doings.down) {
    checkBooked(view, attempt);
    checkTruth(view, attempt);
  }
  for (const attemptId of doings.ended.keys()) {
    const task = view.attempts.get(attemptId)?.task;
    if (task?.state === 'attemptEnded') blame(view, 8, `${attemptId} has ended and nothing follows for ${task.id}`);
  }
  for (const run of runs) checkRunAtRest(view, run);
}

function apply(
  view: View,
  event: HistoryEvent | undefined,
  seq: number,
  run: RunView | null,
  doings: CommitDoings,
): void {
  view.index = seq;
  if (event === undefined) return blame(view, 2, `event ${seq} of ${view.stream} was stored and is gone`);
  const data = parse(event.data) as Data | null;
  if (data === null) return blame(view, 2, `event ${seq} of ${event.stream} has no readable data`);
  // The shape's version is of no matter here: what is read of the data is in all of them.
  const type = event.type.replace(/@\d+$/, '');
  if (run === null) hostEvent(view, event.stream, type, event.at, data, doings);
  else {
    noticeDue(view, event.stream, type, event.at, data);
    runEvent(view, run, type, event.at, data, doings);
  }
}

function runOf(view: View, stream: string): RunView {
  let run = view.runs.get(stream);
  if (run === undefined) {
    run = newRun(stream);
    view.runs.set(stream, run);
  }
  return run;
}

function checkEnd(view: View, history: History, heads: ReadonlyMap<string, number>): void {
  view.index = history.world.length;
  for (const [stream, events] of history.streams) {
    const head = heads.get(stream) ?? 0;
    if (head < events.length) blame(view, 2, `${stream} has ${events.length} events, ${head} were ever stored`);
  }
  for (const [name, book] of history.books ?? []) compareBook(view, name, book);
  if (history.ended) return checkEnded(view);
  if (!view.healed) return;
  const open = [...view.tasks.values()].filter((task) => task.state !== 'ended');
  const where = open.slice(0, 10).map((task) => `${task.id} (${task.state}, last ${task.last})`);
  blame(view, 8, `work did not come to its end; open are ${open.length} tasks: ${where.join(', ')}`);
}

function checkEnded(view: View): void {
  checkAllSent(view);
  for (const run of view.runs.values()) {
    if (run.state !== 'ended') blame(view, 8, `all is at rest and ${run.id} is ${run.state}`);
  }
  for (const process of view.alive) blame(view, 8, `all is at rest and ${process.launchId} is alive`);
  for (const [stream, host] of view.hosts) {
    for (const attemptId of host.held.keys()) {
      blame(view, 8, `all is at rest and ${attemptId} holds a slot of ${stream}`);
    }
  }
  for (const id of view.accepted.send) {
    const message = view.messages.get(id);
    if (message !== undefined && message.deliveredIn === null && message.attempt.state !== 'ended') {
      blame(view, 8, `${id} was accepted for sending and has never been delivered`);
    }
  }
}
