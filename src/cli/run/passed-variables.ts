// The variables of the user's environment that agents get: those of --env, and those that the user's own configuration names.

import type { Configuration } from '../../configuration/configuration.ts';
import { Fault } from '../../std/fault.ts';
import { plainLine } from '../../std/plain-text.ts';
import type { Context } from '../client/context.ts';

/** Their present values. Prints which ones the repository would like, and which are not set here. */
export function passedVariables(
  { place, terminal }: Pick<Context, 'place' | 'terminal'>,
  named: readonly string[] = [],
  { values, sources, wantedEnv }: Configuration,
): Record<string, string> {
  const { userEnv } = place;
  const own = named.find((name) => isOurs(name) || !/^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name));
  if (own !== undefined) throw new Fault('bad_request', `--env ${own}: it takes the name of a variable of your own`);
  const unset = named.find((name) => userEnv[name] === undefined);
  if (unset !== undefined) throw new Fault('bad_request', `--env ${unset}: it is not set here`);
  const configured = (values.env ?? []).filter((name) => !isOurs(name));
  const missing = configured.filter((name) => userEnv[name] === undefined);
  if (missing.length > 0) {
    terminal.note(plainLine(`Not set here, so agents do not get it: ${missing.join(', ')} (${sources.env ?? 'env'})`));
  }
  const wanted = wantedEnv.filter((name) => !named.includes(name));
  if (wanted.length > 0) terminal.note(plainLine(wantedWords(wanted)));
  const names = [...new Set([...named, ...configured])];
  return Object.fromEntries(names.flatMap((name) => (userEnv[name] === undefined ? [] : [[name, userEnv[name]]])));
}

export function wantedWords(names: readonly string[]): string {
  return `The repository would like agents to have ${names.join(', ')}: they get it where you say --env or name it in your own configuration.`;
}

/** Variables that Signalbox sets itself. */
function isOurs(name: string): boolean {
  return name === 'PATH' || name === 'HOME' || name.startsWith('SIGNALBOX_');
}
