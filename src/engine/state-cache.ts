// The engine's copy of the journal: every open run and the host, folded. Decisions are applied to it before they are
// stored; if storing fails, the streams concerned are dropped and loaded again, because the journal is the truth.

import type { Command, Decision } from '../model/core/command.ts';
import type { RunEventBody } from '../model/core/events.ts';
import type { RunId } from '../model/core/ids.ts';
import type { Run } from '../model/core/run.ts';
import { decide } from '../model/decide.ts';
import { evolve } from '../model/evolve.ts';
import { writeEvent } from '../model/format.ts';
import { emptyHost, evolveHost, type Host, hostStream } from '../model/host/host.ts';
import type { HostEventBody } from '../model/host/host-events.ts';
import { factsBefore } from '../model/host/host-facts.ts';
import { hostEventsOf } from '../model/host/host-share.ts';
import { hasPosts } from '../model/messages/other-run.ts';
import { emptyRun } from '../model/new-state.ts';
import type { Seal } from '../ports/engine-ports.ts';
import type { NewEvent, StreamAppend } from '../ports/journal.ts';
import { sealIfDue } from './seal-events.ts';

export interface Ledger {
  readonly hostName: string;
  host: Host;
  readonly runs: Map<RunId, Run>;
}

/** Decisions taken in one tick and not yet stored. */
export interface Draft {
  readonly at: number;
  /** Today, by the user's local time. */
  readonly day: string;
  readonly seal: Seal;
  readonly parts: Map<string, DraftPart>;
}

interface DraftPart {
  readonly expected: number;
  readonly events: NewEvent[];
}

export function emptyLedger(hostName: string): Ledger {
  return { hostName, host: emptyHost(), runs: new Map() };
}

export function newDraft(at: number, day: string, seal: Seal): Draft {
  return { at, day, seal, parts: new Map() };
}

/**
 * Decides and, unless refused, applies the events: to run and host together, so that a slot never lacks its attempt.
 */
export function decideInto(draft: Draft, ledger: Ledger, runId: RunId, command: Command): Decision {
  const known = ledger.runs.get(runId);
  const run = known ?? emptyRun();
  for (const fact of factsBefore(ledger, run, command, draft.at)) decideHostFact(draft, ledger, runId, fact);
  const decision = decide(run, command, draft.at);
  if (decision.kind === 'refused') return decision;
  if (known === undefined) ledger.runs.set(runId, run);
  const ranBefore = run.spending.usage.timeMs;
  applyToRun(draft, run, runId, decision.events);
  const { host, runs } = ledger;
  const moment = { host, runs, now: draft.at, day: draft.day, ranMs: run.spending.usage.timeMs - ranBefore };
  for (const event of hostEventsOf(runId, decision.events, moment)) applyToHost(draft, ledger, [event]);
  return decision;
}

/** Decides a fact about the host. The append fails if the host has changed since: a second engine may have changed it. */
export function decideHostFact(draft: Draft, ledger: Ledger, runId: RunId, fact: Command): void {
  decideInto(draft, ledger, runId, fact);
  partOf(draft, hostStream(ledger.hostName), ledger.host.seq);
}

export function applyToHost(draft: Draft, ledger: Ledger, events: readonly HostEventBody[]): void {
  if (events.length === 0) return;
  const part = partOf(draft, hostStream(ledger.hostName), ledger.host.seq);
  for (const body of events) {
    const event = { at: draft.at, ...body };
    part.events.push(writeEvent(event));
    evolveHost(ledger.host, event);
  }
}

function applyToRun(draft: Draft, run: Run, runId: RunId, events: readonly RunEventBody[]): void {
  if (events.length === 0) return;
  const part = partOf(draft, runId, run.seq);
  for (const body of events) {
    const event = { at: draft.at, ...body };
    const { type, data } = writeEvent(event);
    part.events.push(sealIfDue({ stream: runId, seq: run.seq + 1, at: draft.at, type, data }, draft.seal));
    evolve(run, event);
  }
}

function partOf(draft: Draft, stream: string, seq: number): DraftPart {
  let part = draft.parts.get(stream);
  if (part === undefined) {
    part = { expected: seq, events: [] };
    draft.parts.set(stream, part);
  }
  return part;
}

/**
 * Whether the copies of host and runs agree: every running attempt holds a slot, and every slot has its attempt. They
 * are loaded one after the other, so with a second writer they may show different moments.
 */
export function agrees({ host, runs }: Ledger, leftAlone: ReadonlyMap<string, unknown>): boolean {
  for (const run of runs.values()) {
    for (const {
      id,
      parking: { parked },
    } of run.live.values())
      if (host.held.has(id) === (parked !== null)) return false;
  }
  for (const [attemptId, runId] of host.held) {
    if (!leftAlone.has(runId) && !runs.get(runId)?.live.has(attemptId)) return false;
  }
  return true;
}

/** The run has ended, and so has every message of its agents to other runs. */
export function isDone(run: Run): boolean {
  return run.state === 'ended' && !hasPosts(run);
}

export function draftParts(draft: Draft, ledger: Ledger): StreamAppend[] {
  return Array.from(draft.parts, ([stream, { expected, events }]) => {
    const run = ledger.runs.get(stream as RunId);
    return { stream, expected, at: draft.at, events, open: run === undefined || !isDone(run) };
  });
}
