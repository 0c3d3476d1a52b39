// How events are written in the journal and read back. `type@2` is the second shape of an event; each older shape
// has an upcast to the next, and is never removed: old journals stay readable for ever.

import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { usualCaps } from './caps.ts';
import type { RunEvent } from './events.ts';
import type { HostEvent } from './host-events.ts';
import { noRules } from './permission.ts';

/** The number of the newest set of shapes; kept journals of each are replayed by a test. */
export const journalFormat = 5;

type Shapeless = Record<string, unknown>;
type Upcast = (data: Shapeless) => Shapeless;

/** Newest version of every event. Listed so that an event of a newer Signalbox is recognised as such. */
const versions: Readonly<Record<RunEvent['type'] | HostEvent['type'], number>> = {
  'run.created': 3,
  'run.stopAsked': 1,
  'run.settled': 1,
  'run.resumed': 1,
  'task.added': 4,
  'task.delayed': 1,
  'task.due': 1,
  'task.settled': 1,
  'task.reopened': 1,
  'task.opened': 1,
  'task.expanded': 1,
  'task.joined': 1,
  'attempt.started': 1,
  'attempt.parked': 1,
  'attempt.unparked': 1,
  'attempt.braked': 1,
  'attempt.limited': 1,
  'attempt.served': 1,
  'attempt.told': 1,
  'agent.created': 1,
  'agent.session': 1,
  'agent.sessionLost': 1,
  'workspace.ready': 1,
  'workspace.saved': 1,
  'message.queued': 1,
  'message.written': 1,
  'message.delivered': 1,
  'message.found': 1,
  'session.steered': 1,
  'session.renewed': 1,
  'context.filled': 1,
  'context.compacted': 1,
  'handoff.asked': 1,
  'handoff.given': 1,
  'gate.opened': 1,
  'gate.decided': 1,
  'gate.expired': 1,
  'question.asked': 1,
  'question.answered': 1,
  'question.expired': 1,
  'launch.intended': 1,
  'launch.started': 1,
  'launch.read': 1,
  'launch.signalled': 1,
  'launch.ended': 1,
  'launch.lost': 1,
  'usage.recorded': 2,
  'usage.metered': 1,
  'budget.exhausted': 1,
  'budget.set': 1,
  'budget.day': 1,
  'turn.ended': 1,
  'output.given': 1,
  'output.refused': 1,
  'artifact.stored': 1,
  'stop.asked': 1,
  'attempt.finished': 1,
  'evidence.recorded': 1,
  'landing.queued': 1,
  'landing.landed': 1,
  'landing.conflicted': 1,
  'landing.failed': 1,
  'landing.dropped': 1,
  'delivery.asked': 1,
  'delivery.moved': 1,
  'delivery.hindered': 1,
  'delivery.ended': 1,
  'call.answered': 1,
  'mail.sent': 1,
  'mail.taken': 1,
  'attempt.waiting': 1,
  'paths.claimed': 1,
  'progress.told': 1,
  'limit.reached': 1,
  'attempt.ended': 1,
  'effect.failed': 1,
  'host.configured': 1,
  'slot.taken': 1,
  'slot.freed': 1,
  'line.set': 1,
  'account.told': 1,
  'day.spent': 1,
  'day.ran': 1,
  'day.budget': 1,
};

const newInTask2 = { reads: [], caps: usualCaps, permissions: noRules, sandbox: 'none' };
const newInTask3 = {
  kind: 'work',
  phase: null,
  tolerates: [],
  when: null,
  onFailure: 'skip',
  items: null,
  env: {},
  setup: null,
  output: null,
  accounts: false,
  keeps: true,
};

const newInTask4 = {
  role: null,
  gate: null,
  onCrash: 'goOn',
  spends: true,
  budget: null,
  treeBudget: null,
  onQuota: 'wait',
  fallback: [],
};

/** `upcasts['task.added'][0]` makes version 2 of version 1. */
const upcasts: Readonly<Record<string, readonly Upcast[]>> = {
  'task.added': [
    // Tasks had no caps and nobody to ask, and what began before there were sandboxes goes on without one.
    (data) => ({ ...data, task: { ...(data['task'] as Shapeless), ...newInTask2 } }),
    // Before there were plans every task was done for its prompt alone, and nothing landed anywhere.
    (data) => {
      const task = data['task'] as Shapeless;
      return { ...data, task: { ...task, ...newInTask3, retry: { conflictsMax: 0, ...(task['retry'] as Shapeless) } } };
    },
    // Before there were budgets nothing was parked, and a failed attempt was always followed by a fresh one.
    (data) => ({ ...data, task: { ...(data['task'] as Shapeless), ...newInTask4 } }),
  ],
  // Nothing changed but that it may have a budget, and then a branch to go into: no older Signalbox must overlook them.
  'run.created': [(data) => data, (data) => data],
  // One for each model; requests were not counted.
  'usage.recorded': [(data) => ({ ...data, model: null, usage: { turns: 0, ...(data['usage'] as Shapeless) } })],
};

export interface Written {
  readonly type: string;
  readonly data: string;
}

export function writeEvent(event: RunEvent | HostEvent): Written {
  const { type, at: _, ...data } = event;
  return { type: versioned(type), data: JSON.stringify(data) };
}

export function readEvent<E extends RunEvent | HostEvent>(written: Written, at: number): E {
  return readVersioned(written, at, versions, upcasts) as E;
}

/** The reading rule itself, with its tables passed in. */
export function readVersioned(
  written: Written,
  at: number,
  newest: Readonly<Record<string, number>>,
  casts: Readonly<Record<string, readonly Upcast[]>>,
): Shapeless {
  const split = written.type.indexOf('@');
  const type = split < 0 ? written.type : written.type.slice(0, split);
  const version = split < 0 ? 1 : Number(written.type.slice(split + 1));
  const known = newest[type];
  if (known === undefined || version > known) {
    throw new Fault(
      'journal_newer',
      `the journal has an event "${written.type}" that this version does not know; update Signalbox to read it`,
    );
  }
  let data = JSON.parse(written.data) as Shapeless;
  for (let v = version; v < known; v++) data = must(casts[type]?.[v - 1], `an upcast of ${type}@${v}`)(data);
  data['type'] = type;
  data['at'] = at;
  return data;
}

function versioned(type: RunEvent['type'] | HostEvent['type']): string {
  const version = versions[type];
  return version === 1 ? type : `${type}@${version}`;
}
