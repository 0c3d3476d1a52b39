// `when` as a mapping of needs to how they must have ended: a short form of a condition.

import type { Condition } from '../../model/inputs/condition.ts';
import type { TaskFile } from './plan-file.ts';

export type Enough = Extract<NonNullable<TaskFile['when']>, object>;

export function isEnough(when: TaskFile['when']): when is Enough {
  return typeof when === 'object';
}

export function enoughCondition(enough: Enough): Condition {
  const each = Object.entries(enough).map(([name, word]) => conditionOf(name, word));
  return each.reduce((left, right) => ({ op: '&&', left, right }));
}

function conditionOf(name: string, word: Enough[string]): Condition {
  const asked = (what: string): Condition => ({ op: 'ref', ref: ['tasks', name, what] });
  switch (word) {
    case 'at-least-1':
      return asked('succeeded');
    case 'all':
      return { op: '==', left: asked('result'), right: { op: 'value', value: 'succeeded' } };
    case 'any-outcome':
      // The result of an ended task is a non-empty text, which is true.
      return asked('result');
  }
}
