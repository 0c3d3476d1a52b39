// What a step is given to act with, and the ways in which a turn ends before its script does.

import type { Ear } from './input-reader.ts';
import type { Line, Voice } from './output-writer.ts';
import type { Session } from './session-file.ts';

export interface Stage {
  readonly voice: Voice;
  readonly ear: Ear;
  readonly session: Session;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** Asks before whatever changes something. */
  readonly asksAlways: boolean;
  readonly life: Life;
  interrupt(): void;
  forget(): void;
  /** Keeps the session as it is now. */
  save(): void;
  /** Takes up what was said meanwhile, in this turn. Gives how many messages there were. */
  fold(): number;
}

/** Of this process, beyond one turn. */
export interface Life {
  /** How long it stays after it was told to end; null = not at all. */
  lingerMs: number | null;
  /** Signals that came and nobody has waited for yet. */
  readonly signals: Map<string, number>;
  /** Background work: how to end it. */
  readonly background: Set<() => void>;
  /** Background work that ended while there was no turn. */
  notices: number;
}

/** The turn is over with this result line. */
export class TurnEnd extends Error {
  override readonly name = 'TurnEnd';
  readonly fields: Line;
  /** What the step was to do is done, and is not done again in the next turn. */
  readonly stepDone: boolean;

  constructor(fields: Line, stepDone = false) {
    super('the turn is over');
    this.fields = fields;
    this.stepDone = stepDone;
  }
}

export function failed(text: string, marks: Line = {}): TurnEnd {
  return new TurnEnd({ is_error: true, subtype: 'error_during_execution', result: text, errors: [text], ...marks });
}

/** Never ends, and keeps the process there. */
export function forEver(): Promise<never> {
  stay();
  return new Promise(() => undefined);
}

/** A process with nothing to wait for would leave. */
export function stay(): void {
  setInterval(() => undefined, 1 << 30);
}
