// How much the agents of a run may make of themselves, as its options say it.

import { defined } from '../../std/defined.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';

export interface CrewOptions {
  readonly depth?: number;
  readonly agentsInAll?: number;
}

/** What is said here goes before what the plan says. */
export function crewOption(
  { depth, agentsInAll }: CrewOptions,
  planned: CreateRunInput['crew'] = {},
): NonNullable<CreateRunInput['crew']> {
  return { ...planned, ...defined({ depthMax: depth, agentsMax: agentsInAll }) };
}
