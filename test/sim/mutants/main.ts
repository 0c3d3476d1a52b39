// npm run sim:mutants: every mutant must be caught; prints which invariant caught it.

import { fileURLToPath } from 'node:url';
import { mutants } from './mutants.ts';
import { runMutant } from './run-mutant.ts';

const compiled = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const only = process.argv[2];
let missed = 0;
for (const mutant of mutants) {
  if (only !== undefined && !mutant.name.includes(only)) continue;
  const outcome = runMutant(mutant, compiled, 2_000);
  if (outcome.kind !== 'caught') missed += 1;
  console.log(
    `${outcome.kind.padEnd(8)} ${mutant.name}${outcome.kind === 'caught' ? `\n           ${outcome.by}` : ''}`,
  );
}
console.log(missed === 0 ? 'every mutant was caught' : `${missed} mutants were not caught`);
process.exit(missed === 0 ? 0 : 1);
