// Parses the texts and conditions of a plan file, and collects problems with their places.

import type { Condition } from '../../model/inputs/condition.ts';
import type { Text } from '../../model/inputs/reference.ts';
import { type Parsed, parseCondition, parseText } from './expression.ts';
import { type Flaw, type Part, type PlanPath, type Problem, problemAt, type Source } from './problem.ts';

export interface Reading {
  readonly source: Source;
  readonly problems: Problem[];
  text(text: string | number | boolean, path: PlanPath): Text;
  condition(text: string | boolean | undefined, path: PlanPath): Condition | null;
  wrong(path: PlanPath, flaw: Flaw, part?: Part): void;
}

export function createReading(source: Source): Reading {
  const problems: Problem[] = [];
  const take = <T>(parsed: Parsed<T>, path: PlanPath, otherwise: T): T => {
    if (parsed.ok) return parsed.value;
    problems.push(problemAt(source, path, parsed.flaw, parsed.nth));
    return otherwise;
  };
  return {
    source,
    problems,
    text: (text, path) => (typeof text === 'string' ? take(parseText(text), path, '') : String(text)),
    condition(text, path) {
      if (text === undefined) return null;
      const nothing: Condition = { op: 'value', value: true };
      return typeof text === 'boolean' ? { op: 'value', value: text } : take(parseCondition(text), path, nothing);
    },
    wrong: (path, flaw, part) => void problems.push(problemAt(source, path, flaw, part)),
  };
}
