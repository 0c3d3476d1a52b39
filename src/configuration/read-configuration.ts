// Reads one configuration file: its YAML, the shape of its values, and whether this file may have them. Problems are reported
// with their line, as for a plan.

import { limitsFrom } from '../plan/file/plan-from.ts';
import type { Place, Problem } from '../plan/file/problem.ts';
import { hasErrors, inOrder, problemAt } from '../plan/file/problem.ts';
import { createReading } from '../plan/file/read-values.ts';
import { readYaml } from '../plan/file/read-yaml.ts';
import { shapeProblems } from '../plan/file/shape-problems.ts';
import type { PlanLimits } from '../plan/plan.ts';
import {
  type ConfigurationFile,
  type ConfigurationName,
  configurationFile,
  configurationNames,
  flawOf,
  type Given,
} from './configuration-file.ts';

/** The values as people write them; limits are parsed. */
export type Values = Omit<ConfigurationFile, 'limits'> & { readonly limits?: PlanLimits };

export interface ConfigurationRead {
  /** Empty if there are errors. */
  readonly values: Values;
  readonly problems: readonly Problem[];
  /** The position of a value. */
  place(name: ConfigurationName): Place;
}

export function readConfiguration(text: string, file: string, given: Given): ConfigurationRead {
  const nowhere = (): Place => ({ line: 1, column: 1 });
  const nothing = (problems: readonly Problem[]): ConfigurationRead => ({ values: {}, problems, place: nowhere });
  // A file of comments alone has no values.
  if (/^(?:\s*(?:#.*)?\n?)*$/.test(text)) return nothing([]);
  const read = readYaml(text, file, { tooLong: 'a configuration has a few lines', empty: '' });
  if ('problems' in read) return nothing(read.problems);
  const { value, source } = read;
  const shape = configurationFile.safeParse(value);
  if (!shape.success) return nothing(inOrder(shapeProblems(source, configurationFile, value, shape.error.issues)));
  const reading = createReading(source);
  const { limits, ...values } = shape.data;
  const parsed = limits === undefined ? {} : { limits: limitsFrom(limits, ['limits'], reading) };
  const flaws = configurationNames.flatMap((name) => {
    const said = shape.data[name];
    const flaw = said === undefined ? null : flawOf(name, said, given);
    return flaw === null ? [] : [problemAt(source, [name], flaw, 'key')];
  });
  const problems = inOrder([...reading.problems, ...flaws]);
  if (hasErrors(problems)) return nothing(problems);
  return { values: { ...values, ...parsed }, problems, place: (name) => source.place([name], 'key') };
}
