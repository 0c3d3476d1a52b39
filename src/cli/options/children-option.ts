// Limits on agents spawned by agents, from the options of `run`.

import { defined } from '../../std/defined.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';

export interface ChildrenOptions {
  readonly depth?: number;
  readonly agentsInAll?: number;
}

/** Options win over the plan. */
export function childrenOption(
  { depth, agentsInAll }: ChildrenOptions,
  planned: CreateRunInput['children'] = {},
): NonNullable<CreateRunInput['children']> {
  return { ...planned, ...defined({ depthMax: depth, agentsMax: agentsInAll }) };
}
