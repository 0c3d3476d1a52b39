// How an agent is shown the output of a failed check: the part that a person would look at, marked as quoted, and how to read
// the whole.

import { defined } from '../../std/defined.ts';
import type { EvidenceItem } from '../core/events.ts';
import type { Failure } from '../core/failure.ts';
import { quoted } from '../messages/envelope.ts';

export type Printed = Pick<Failure, 'printed' | 'log'>;

export function printedBy(item: EvidenceItem | undefined): Printed {
  return item === undefined || item.passed ? {} : defined({ printed: item.printed, log: item.log });
}

/** Empty if nothing is known. At most `max` characters of the output: the end is cut last. */
export function printedWords({ printed = '', log }: Printed, max: number): string[] {
  const shown = printed.length > max ? `[cut]\n${printed.slice(-max)}` : printed;
  return [
    ...(shown === '' ? [] : [`What the check printed, without banners:\n\n${quoted(shown)}`]),
    ...(log === undefined ? [] : [`read_output {"log": "${log}"} reads all that it printed.`]),
  ];
}
