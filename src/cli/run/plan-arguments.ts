// Which words of a command line name a plan, and which are its inputs.

import { Fault } from '../../std/fault.ts';

export function isPlanFile(word: string): boolean {
  return /\.plan\.(?:ya?ml|ts|mjs|js)$/.test(word) && !/\s/.test(word);
}

/** `name=value`, each once. */
export function inputsOf(words: readonly string[] | undefined): Record<string, string> {
  const inputs: Record<string, string> = {};
  for (const word of words ?? []) {
    const [, name, value] = /^([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined) {
      throw new Fault('bad_request', `--input ${word}: write a name and a value, as in --input module=src`);
    }
    if (Object.hasOwn(inputs, name)) throw new Fault('bad_request', `the input "${name}" is given twice`);
    inputs[name] = value;
  }
  return inputs;
}

/** `dryRun` is `--dry-run`. */
export function optionWord(name: string): string {
  return `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

/** `name=value`, as `--set` has it. */
export function settingOf(text: string): readonly [string, string] {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new Fault('bad_request', `--set ${text}: write a name and a value, as in effort=high`);
  }
  return [name, value];
}
