// The even ones of thousands of seeds.

import { it } from 'vitest';
import { breakNothing, seedsTimeoutMs } from './seeds.ts';

it(
  'no even seed that time allows breaks an invariant [ENG-2] [ENG-3] [ENG-8] [ENG-9] [BUD-2] [BUD-10] [BUD-13] [QUOTA-8]',
  {
    timeout: seedsTimeoutMs,
  },
  () => breakNothing(2),
);
