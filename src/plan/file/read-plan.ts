// Reads a plan file.

import { type PlanRead, planFrom } from './plan-from.ts';
import { readYaml } from './read-yaml.ts';

export { fileBytesMax as planBytesMax } from './read-yaml.ts';

export function readPlan(text: string, file: string): PlanRead {
  const read = readYaml(text, file, {
    tooLong: 'put what is long into files of the repository and name them',
    empty: '"signalbox plan new" writes one to begin with',
  });
  return 'problems' in read ? { plan: null, problems: read.problems } : planFrom(read.value, read.source);
}
