// When a run waits for people alone: for an answer, or for a budget that is used up. Events tell when to look; the run itself
// tells whether it does.

import type { RunEvent } from '../../wire/event-names.ts';
import type { RunView } from '../../wire/views.ts';
import { exhaustedLines } from '../text/budget-text.ts';
import { exits } from './context.ts';

/** Says of each event, in order, whether a used-up budget makes the run worth a look after it. */
export function createTightness(): (event: RunEvent) => boolean {
  const usedUp = new Set<string>();
  return (event) => {
    switch (event.type) {
      case 'budget.exhausted':
        usedUp.add(JSON.stringify(event.scope));
        return true;
      case 'budget.set':
        usedUp.delete(JSON.stringify(event.scope));
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
  /** What would help. */
  readonly words: string;
}

/** null: something goes on, or waits for something that comes by itself. */
export function stuckOn(run: RunView): Stuck | null {
  const moving = run.tasks.filter(({ kind, state }) => kind !== 'matrix' && canMove.has(state));
  const asking = moving.filter(({ asks, question }) => asks.length > 0 || question?.state === 'open');
  const short = moving.filter((task) => task.outOfBudget);
  const still = new Set([...asking, ...short]);
  // Whoever waits for others goes on when they have.
  if (still.size === 0 || !moving.every((task) => still.has(task) || task.rests)) return null;
  if (asking.length > 0)
    return { exit: exits.person, words: 'Nothing goes on until somebody answers: signalbox inbox' };
  const words = `Nothing goes on until there is more to spend.\n${exhaustedLines(run).join('\n')}`;
  return { exit: exits.budget, words };
}

const canMove: ReadonlySet<string> = new Set(['active', 'ready', 'delayed']);
