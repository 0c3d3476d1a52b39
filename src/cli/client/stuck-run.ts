// Detects a run that only a person can continue: open asks, or an exhausted budget. Events say when to look; the view of
// the run decides.

import type { RunEvent } from '../../wire/event-names.ts';
import type { RunView } from '../../wire/views.ts';
import { exhaustedLines } from '../text/budget-text.ts';
import { exits } from './context.ts';

/** For each event in order: whether to look at the run after it, because of an exhausted budget. */
export function createTightness(): (event: RunEvent) => boolean {
  const usedUp = new Set<string>();
  return (event) => {
    switch (event.type) {
      case 'ask.opened':
        if (event.kind !== 'budget') return false;
        usedUp.add(event.askId);
        return true;
      case 'ask.answered':
        usedUp.delete(event.askId);
        return false;
      case 'budget.day':
        if (event.exhausted === null) usedUp.delete('day');
        else usedUp.add('day');
        return event.exhausted !== null;
      case 'attempt.parked':
      case 'attempt.ended':
      case 'task.opened':
      case 'task.due':
      case 'task.ended':
        return usedUp.size > 0;
      default:
        return false;
    }
  };
}

export interface Stuck {
  readonly exit: number;
  /** What a person can do. */
  readonly words: string;
}

/** null: something is running, or waits for something that needs no person. */
export function stuckOn(run: RunView): Stuck | null {
  const moving = run.tasks.filter(({ kind, state }) => kind !== 'matrix' && canMove.has(state));
  const asking = moving.filter(({ asks }) => asks.some(({ state }) => state === 'open'));
  const short = moving.filter((task) => task.outOfBudget);
  const still = new Set([...asking, ...short]);
  // A task that waits for others resumes when they end.
  if (still.size === 0 || !moving.every((task) => still.has(task) || task.rests)) return null;
  if (asking.length > 0) return { exit: exits.person, words: 'The run waits for your answer: signalbox inbox' };
  const words = `The run waits for a higher budget.\n${exhaustedLines(run).join('\n')}`;
  return { exit: exits.budget, words };
}

const canMove: ReadonlySet<string> = new Set(['active', 'ready', 'delayed']);
