// How events are written in the journal and read back. `type@2` is the second shape of an event; each older shape has an
// upcast to the next one, which is never removed: a released journal stays readable.

import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import type { RunEvent } from './core/events.ts';
import { versions } from './event-versions.ts';
import type { HostEvent } from './host/host-events.ts';

type Shapeless = Record<string, unknown>;
type Upcast = (data: Shapeless) => Shapeless;

/** `upcasts['task.added'][0]` makes version 2 of version 1. Format 7 of the journal began with version 1 of every event. */
const upcasts: Readonly<Record<string, readonly Upcast[]>> = {};

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
