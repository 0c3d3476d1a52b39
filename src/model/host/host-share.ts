// What a run's events mean for its host: slots taken and freed, lines that are limited or serve again, usage of the day,
// notices for people. Derived within the same append, so neither exists without the other.

import { noticeOf } from '../asks/notices.ts';
import type { RunEventBody } from '../core/events.ts';
import type { AttemptId, RunId } from '../core/ids.ts';
import type { Run } from '../core/run.ts';
import { isOver, isRefuted, type Line, limitLine, serveLine } from '../spending/account-line.ts';
import { lineOf, type OnLine, onLine } from '../spending/account-of.ts';
import type { ModelUsage } from '../spending/usage.ts';
import type { Host } from './host.ts';
import type { HostEventBody } from './host-events.ts';

export interface Moment {
  readonly host: Host;
  readonly runs: ReadonlyMap<RunId, Run>;
  readonly now: number;
  /** By the user's local clock. */
  readonly day: string;
  /** The running time of the processes that these events end. */
  readonly ranMs: number;
}

/** Called after the events were folded into the run; each host event is folded before the next is derived. */
export function* hostEventsOf(runId: RunId, events: readonly RunEventBody[], moment: Moment): Iterable<HostEventBody> {
  const spent: ModelUsage[] = [];
  for (const event of events) {
    if (event.type === 'usage.recorded') spent.push({ model: event.model, usage: event.usage });
    yield* slotEvents(runId, event, moment.host);
    yield* lineEvents(runId, event, moment);
    const run = moment.runs.get(runId);
    const notice = run === undefined ? null : noticeOf(run, event, moment);
    if (notice !== null) yield { type: 'notice.raised', ...notice };
  }
  if (spent.length > 0) yield { type: 'day.spent', day: moment.day, parts: spent };
  if (moment.ranMs > 0) yield { type: 'day.ran', day: moment.day, ms: moment.ranMs };
}

function* slotEvents(runId: RunId, event: RunEventBody, host: Host): Iterable<HostEventBody> {
  if (event.type === 'attempt.started' || event.type === 'attempt.unparked') {
    yield { type: 'slot.taken', attemptId: event.attemptId, runId };
  }
  // An attempt that ends while parked holds no slot.
  const leaves = event.type === 'attempt.parked' || event.type === 'attempt.ended';
  if (leaves && host.held.has(event.attemptId)) yield { type: 'slot.freed', attemptId: event.attemptId };
}

function* lineEvents(runId: RunId, event: RunEventBody, moment: Moment): Iterable<HostEventBody> {
  switch (event.type) {
    case 'attempt.started':
    case 'attempt.unparked':
    case 'attempt.limited':
    case 'attempt.served':
    case 'attempt.quotaReported':
    case 'attempt.parked':
    case 'attempt.ended':
      break;
    default:
      return;
  }
  const found = lineOf(moment.runs.get(runId), event.attemptId);
  if (found === null) return;
  if (event.type === 'attempt.quotaReported') {
    const { of, used, resetsAtMs } = event;
    yield { type: 'account.quotaReported', account: found.account, of, used, resetsAtMs };
    return;
  }
  const before = moment.host.lines[found.name];
  const after = nextLine(before, event, found, moment);
  if (after !== before) yield { type: 'line.set', name: found.name, line: after ?? null };
}

type LineEvent = Extract<
  RunEventBody,
  { type: `attempt.${'started' | 'unparked' | 'limited' | 'served' | 'parked' | 'ended'}` }
>;

function nextLine(line: Line | undefined, event: LineEvent, { name, root }: OnLine, moment: Moment): Line | undefined {
  const { attemptId } = event;
  const atWork = (): number => onLine(moment.runs.values(), name);
  if (event.type === 'attempt.limited') {
    return limitLine(line, event, atWork(), moment.now, `${attemptId} ${line?.strikes ?? 0}`, root);
  }
  if (line === undefined) return undefined;
  switch (event.type) {
    case 'attempt.started':
    case 'attempt.unparked':
      // An attempt that continues by its timeout probes nothing.
      return event.probe === true && line.cap === null && isOver(line, moment.now) ? probedBy(line, attemptId) : line;
    case 'attempt.served':
      if (isOver(line, moment.now)) return serveLine(line, atWork()) ?? undefined;
      return isRefuted(line, moment.now) ? undefined : line;
    case 'attempt.parked':
    case 'attempt.ended':
      return line.probe === attemptId ? { ...line, probe: null } : line;
  }
}

function probedBy(line: Line, attemptId: AttemptId): Line {
  return { ...line, probe: attemptId };
}
