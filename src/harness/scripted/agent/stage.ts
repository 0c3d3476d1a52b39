// What a step can use, and the ways in which a turn ends before its script does.

import type { Ear } from './input-reader.ts';
import type { Line, Voice } from './output-writer.ts';
import type { Session } from './session-file.ts';

export interface Stage {
  readonly voice: Voice;
  readonly ear: Ear;
  readonly session: Session;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** Asks for a permission before every change. */
  readonly asksAlways: boolean;
  readonly life: Life;
  interrupt(): void;
  forget(): void;
  /** Saves the session as it is now. */
  save(): void;
  /** Reads messages that came meanwhile, within this turn. Returns their number. */
  fold(): number;
}

/** State of this process, beyond one turn. */
export interface Life {
  /** How long it stays after it was asked to end; null = not at all. */
  lingerMs: number | null;
  /** Signals that came and that no step has waited for yet. */
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
  /** The step's work is done, and is not repeated in the next turn. */
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

/** Never resolves, and keeps the process alive. */
export function forEver(): Promise<never> {
  stay();
  return new Promise(() => undefined);
}

/** A process without pending work would exit. */
export function stay(): void {
  setInterval(() => undefined, 1 << 30);
}
