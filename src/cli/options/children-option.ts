// How much the agents of a run may make of themselves, as its options say it.

import { defined } from '../../std/defined.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';

export interface ChildrenOptions {
  readonly depth?: number;
  readonly agentsInAll?: number;
}

/** What is said here goes before what the plan says. */
export function childrenOption(
  { depth, agentsInAll }: ChildrenOptions,
  planned: CreateRunInput['children'] = {},
): NonNullable<CreateRunInput['children']> {
  return { ...planned, ...defined({ depthMax: depth, agentsMax: agentsInAll }) };
}
