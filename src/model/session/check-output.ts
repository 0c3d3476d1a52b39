// What a failed check printed, as an agent is told of it: the part that a person would look at, as words of others, and how
// to read the whole.

import { defined } from '../../std/defined.ts';
import type { EvidenceItem } from '../core/events.ts';
import type { Failure } from '../core/failure.ts';
import { quoted } from '../messages/envelope.ts';

export type Printed = Pick<Failure, 'printed' | 'log'>;

export function printedBy(item: EvidenceItem | undefined): Printed {
  return item === undefined || item.passed ? {} : defined({ printed: item.printed, log: item.log });
}

/** Empty where nothing is known of it. At most so many characters of its output: the end is cut last. */
export function printedWords({ printed = '', log }: Printed, max: number): string[] {
  const shown = printed.length > max ? `[cut]\n${printed.slice(-max)}` : printed;
  return [
    ...(shown === '' ? [] : [`What the check printed, without banners:\n\n${quoted(shown)}`]),
    ...(log === undefined ? [] : [`read_output {"log": "${log}"} reads all that it printed.`]),
  ];
}
