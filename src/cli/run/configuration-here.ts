// The configuration for the user's current directory. The YAML reader is loaded only if there is a file.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../configuration/configuration.ts';
import { problemText } from '../../plan/file/problem.ts';
import { Fault } from '../../std/fault.ts';
import type { Context } from '../client/context.ts';

/** `top`: of the checkout; null = there is none. Throws a Fault that reports every error with its line. */
export async function configurationHere(context: Context, top: string | null): Promise<Configuration> {
  const configuration = await lookForConfiguration(context, top);
  const errors = configuration.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Fault('bad_request', errors.map(problemText).join('\n'));
  return configuration;
}

/** The same with its problems. */
export async function lookForConfiguration({ place, lent }: Context, top: string | null): Promise<Configuration> {
  const { configurationFile: yours } = place;
  const there = existsSync(yours) || (top !== null && existsSync(join(top, '.signalbox/config.yaml')));
  if (!there) return { values: {}, sources: {}, wantedEnv: [], problems: [] };
  const { loadConfiguration } = await import('../../configuration/configuration.ts');
  return loadConfiguration({ yours, top }, { all: lent.harnessNames, installable: lent.installableHarnesses });
}
