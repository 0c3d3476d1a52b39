// Which events carry a seal, and sealing them just before they are stored. An event that is decided again after a
// conflict gets another number and so another seal. A seal is never part of a decision.

import type { RunEventBody } from '../model/core/events.ts';
import type { Seal } from '../ports/engine-ports.ts';
import type { NewEvent } from '../ports/journal.ts';
import { type SealableEvent, sealedText, withSeal } from '../store/sealed-text.ts';

/** Events that people export and may have to show to somebody who does not have the journal. */
const sealedTypes: ReadonlySet<string> = new Set<RunEventBody['type']>([
  'artifact.stored',
  'message.sent',
  'message.outbound',
]);

/** Whether an event carries a seal, by its stored type. */
export function isSealed(type: string): boolean {
  const end = type.indexOf('@');
  return sealedTypes.has(end < 0 ? type : type.slice(0, end));
}

export function sealIfDue(event: SealableEvent, seal: Seal): NewEvent {
  const { type, data } = event;
  const made = isSealed(type) ? seal(sealedText(event)) : null;
  return { type, data: made === null ? data : withSeal(data, made) };
}
