// Deliberately broken engines. Each is one small change to the compiled sources; the simulator must catch every one.
// A mutant whose text is no longer there fails as well: it has to follow the code.

import { artifactMutants } from './artifact-mutants.ts';
import { askingMutants } from './asking-mutants.ts';
import { childrenMutants } from './children-mutants.ts';
import { engineMutants } from './engine-mutants.ts';
import { gateMutants } from './gate-mutants.ts';
import { integrationMutants } from './integration-mutants.ts';
import { landingMutants } from './landing-mutants.ts';
import type { Mutant } from './mutant.ts';
import { planMutants } from './plan-mutants.ts';
import { spendingMutants } from './spending-mutants.ts';
import { teamMutants } from './team-mutants.ts';

export const mutants: readonly Mutant[] = [
  ...engineMutants,
  ...planMutants,
  ...gateMutants,
  ...askingMutants,
  ...artifactMutants,
  ...childrenMutants,
  ...teamMutants,
  ...landingMutants,
  ...integrationMutants,
  ...spendingMutants,
];
