// docs/cli.md names every verb and option that the program has.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildProgram } from '../src/cli/options/verbs.ts';

const guide = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8');
const program = buildProgram('1', () => async () => undefined);
/** Those that help shows. */
const verbs = program
  .createHelp()
  .visibleCommands(program)
  .filter((verb) => verb.name() !== 'help');

it('the page of the command line names every verb and every option [CLI-16]', () => {
  const words = verbs.flatMap((verb) => [verb, ...verb.commands].flatMap(({ options }) => options));
  const options = [...new Set(words.filter(({ hidden }) => !hidden).map(({ long }) => long ?? ''))];
  expect(options.length).toBeGreaterThan(50);
  const isNamed = (word: string): boolean => new RegExp(`\`[^\`]*${word}(?![\\w-])[^\`]*\``).test(guide);
  expect(options.filter((option) => !isNamed(option))).toEqual([]);
  expect(verbs.map((verb) => verb.name()).filter((name) => !isNamed(name))).toEqual([]);
});
