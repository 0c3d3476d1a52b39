// Checks of a plan or a configuration, as the request for the daemon has them.

import type { CreateRunInput } from '../../wire/request-schemas.ts';
import { checkNames } from '../check/check-names.ts';
import type { PlanCheck } from '../plan.ts';

export function compiledChecks(checks: readonly PlanCheck[]): NonNullable<CreateRunInput['tasks'][number]['checks']> {
  const names = checkNames(checks.map(({ name, run }) => name ?? [run].flat().join(' ')));
  return checks.map(({ run, timeoutMinutes, retries }, i) => ({
    name: names[i] as string,
    argv: typeof run === 'string' ? ['sh', '-c', run] : [...run],
    ...(timeoutMinutes === null ? {} : { timeoutMs: Math.round(timeoutMinutes * 60_000) }),
    ...(retries === null ? {} : { retries }),
  }));
}
