// The shipped prices are those of the pinned package of price data.

import { execFileSync } from 'node:child_process';
import { it } from 'vitest';

it('the list prices are made from the package that is pinned [COST-1]', () => {
  execFileSync(process.execPath, ['scripts/price-snapshot.mjs', '--check'], { cwd: `${import.meta.dirname}/..` });
});
