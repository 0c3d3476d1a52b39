// How events are written in the journal and read back. `type@2` is the second shape of an event; each older shape
// has an upcast to the next, and is never removed: old journals stay readable for ever.

import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { noRules } from './asks/permission.ts';
import type { RunEvent } from './core/events.ts';
import { versions } from './event-versions.ts';
import type { HostEvent } from './host/host-events.ts';
import { usualCaps } from './spending/caps.ts';

/** The number of the newest set of shapes; kept journals of each are replayed by a test. */
export const journalFormat = 6;

type Shapeless = Record<string, unknown>;
type Upcast = (data: Shapeless) => Shapeless;

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
    // Before there were plans every task was done for its prompt alone, and nothing integrated anywhere.
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
