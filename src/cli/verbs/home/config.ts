// `signalbox config`: every configuration value that applies here, and its source. Starts no daemon.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Configuration, repositoryFile } from '../../../configuration/configuration.ts';
import { type ConfigurationName, configurationNames } from '../../../configuration/configuration-file.ts';
import { hasErrors, problemText } from '../../../plan/file/problem.ts';
import { plainLine, plainText, shownJson } from '../../../std/plain-text.ts';
import { exits, type Place, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { checkoutTop } from '../../client/user-git.ts';
import { lookForConfiguration } from '../../run/configuration-here.ts';
import { wantedWords } from '../../run/passed-variables.ts';
import { tableLines } from '../../text/table.ts';
import { wrapLine } from '../../text/wrap-line.ts';

export const config: Verb<{ readonly json?: boolean }> = async (context, _, { json = false }) => {
  const { place, terminal } = context;
  const top = await checkoutTop(place, here());
  const configuration = await lookForConfiguration(context, top);
  const rows = configurationNames.map((name) => rowOf(name, configuration, place));
  const files = [place.configurationFile, ...(top === null ? [] : [join(top, repositoryFile)])].map((path) => {
    return { path, exists: existsSync(path) };
  });
  const { problems, wantedEnv } = configuration;
  if (json) {
    const values = Object.fromEntries(rows.map(({ name, value, source }) => [name, { value: value ?? null, source }]));
    await terminal.print(`${shownJson({ values, files, wantedEnv, problems })}\n`);
  } else {
    const table = tableLines([['KEY', 'VALUE', 'FROM'], ...rows.map(cellsOf)], { left: 3 });
    const under = table[0]?.indexOf('VALUE') ?? 0;
    await terminal.print(`${table.flatMap((line) => wrapLine(line, terminal.columns, under)).join('\n')}\n`);
    for (const { path, exists } of files) if (!exists) terminal.note(plainLine(`${path} does not exist.`));
    if (wantedEnv.length > 0) terminal.note(plainLine(wantedWords(wantedEnv)));
  }
  for (const problem of problems) terminal.note(plainText(problemText(problem)));
  return hasErrors(problems) ? exits.usage : exits.ok;
};

interface Row {
  readonly name: ConfigurationName;
  readonly value: unknown;
  readonly source: string;
}

function rowOf(name: ConfigurationName, { values, sources }: Configuration, { fromEnvironment }: Place): Row {
  const variable = fromEnvironment[name];
  if (variable !== undefined) return { name, ...variable };
  return { name, value: values[name], source: sources[name] ?? 'default' };
}

function cellsOf({ name, value, source }: Row): string[] {
  const text = value === undefined ? usual[name] : typeof value === 'string' ? value : JSON.stringify(value);
  return [name, plainLine(text), plainLine(source)];
}

/** The defaults. */
const usual: Readonly<Record<ConfigurationName, string>> = {
  harness: 'one that is installed and logged in',
  model: "the agent's own",
  models: "each agent's own",
  effort: "the agent's own",
  checks: 'none',
  setup: '.signalbox/setup, if there is one',
  env: 'none',
  'your-tools': 'none',
  sandbox: 'workspace',
  commits: 'one-per-task',
  'co-author': 'co-authored-by',
  limits: 'none',
  slots: 'by memory',
  notify: 'desktop',
  remind: 'off',
};
