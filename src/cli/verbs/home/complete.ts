// `signalbox complete`: completion candidates for the shell, one per line with a description. Hidden. Answers quickly: a
// daemon that is slow or down is not waited for.

import type { Command, Option } from 'commander';
import { plainLine } from '../../../std/plain-text.ts';
import { type RunView, runList } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { checkoutTop } from '../../client/user-git.ts';

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

const daemonMaxMs = 500;

/** `words`: everything after the program's name, up to the word being typed, which may be empty. */
export function completeFrom(program: Command): Verb<object> {
  return async (context, words) => {
    const found = await candidates(
      program,
      words,
      () => runsOf(context),
      () => rolesOf(context),
      context.lent.harnessNames,
    );
    const lines = found.map(({ word, about }) => `${word}\t${plainLine(about)}\n`);
    await context.terminal.print(lines.join(''));
    // Do not wait for an answer that comes too late.
    setImmediate(() => process.exit(exits.ok));
    return exits.ok;
  };
}

export async function candidates(
  program: Command,
  words: readonly string[],
  runs: () => Promise<readonly RunView[]>,
  roles: () => Promise<readonly Candidate[]>,
  harnesses: readonly string[],
): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const fitting = (all: readonly Candidate[]): Candidate[] => all.filter(({ word }) => word.startsWith(typed));
  const { verb, depth } = verbOf(program, before);
  if (verb.commands.length > 0) return before.length > depth ? [] : fitting(verbsOf(verb));
  const option = verb.options.find(({ short, long }) => [short, long].includes(before.at(-1)));
  if (option !== undefined && (option.required || option.optional)) return fitting(valuesOf(option, harnesses));
  if (typed.startsWith('-')) return fitting(optionsOf(verb));
  const at = placeOf(verb, before.slice(depth));
  const argument = verb.registeredArguments[at] ?? null;
  if (argument?.argChoices !== undefined) return fitting(argument.argChoices.map((word) => ({ word, about: '' })));
  const kind = argument?.name() ?? '';
  if (kind === 'role') return fitting(await roles());
  if (!/\b(run|task)\b/.test(kind)) return [];
  return fitting(named(await runs(), kind, typed));
}

/** A verb may have subcommands: `plan check`. */
function verbOf(program: Command, words: readonly string[]): { verb: Command; depth: number } {
  let verb = program;
  for (const [depth, word] of words.entries()) {
    const next = verb.commands.find((command) => command.name() === word);
    if (next === undefined) return { verb, depth };
    verb = next;
  }
  return { verb, depth: words.length };
}

function verbsOf(program: Command): Candidate[] {
  const hidden = new Set(['complete', 'daemon']);
  return program.commands
    .filter((command) => !hidden.has(command.name()))
    .map((command) => ({ word: command.name(), about: command.description() }));
}

function optionsOf(verb: Command): Candidate[] {
  return verb.options.flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ word: long, about: description }],
  );
}

function valuesOf({ long, argChoices }: Option, harnesses: readonly string[]): Candidate[] {
  const words = argChoices ?? (long === '--harness' ? harnesses : []);
  return words.map((word) => ({ word, about: '' }));
}

/** The index of the argument at the cursor, not counting options and their values. */
function placeOf(verb: Command, words: readonly string[]): number {
  let place = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const option = verb.options.find(({ short, long }) => [short, long].includes(word));
    if (option !== undefined && option.required) i += 1;
    else if (!word.startsWith('-')) place += 1;
  }
  return place;
}

/** Names first; ids only if the user has typed the beginning of one, because they are many and long. */
function named(runs: readonly RunView[], kind: string, typed: string): Candidate[] {
  const newest = runs.at(-1);
  const out: Candidate[] = [];
  const wants = (what: string): boolean => new RegExp(`\\b${what}\\b`).test(kind);
  if (wants('task')) {
    for (const { name, state } of newest?.tasks ?? []) out.push({ word: name, about: `task, ${state}` });
  }
  if (wants('run') || wants('task')) {
    for (const { name, id, state, outcome } of [...runs].reverse()) {
      const twice = runs.some((other) => other.id !== id && other.name === name);
      if (!twice) out.push({ word: name, about: `run, ${outcome ?? state}` });
    }
  }
  if (typed.startsWith('run_')) for (const { id, name } of runs) out.push({ word: id, about: name });
  if (typed.startsWith('task_')) {
    for (const run of runs) for (const { id, name } of run.tasks) out.push({ word: id, about: `${run.name}/${name}` });
  }
  const seen = new Set<string>();
  return out.filter(({ word }) => !seen.has(word) && seen.add(word));
}

async function rolesOf({ place }: Context): Promise<Candidate[]> {
  const { findRoles } = await import('../../run/find-roles.ts');
  const { roles } = await findRoles(await checkoutTop(place, here()));
  return [...roles.values()].map(({ name, description }) => ({ word: name, about: description }));
}

async function runsOf({ client }: Context): Promise<readonly RunView[]> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), daemonMaxMs).unref();
  });
  const asked = client.getIfUp('/runs?all=1&limit=20', runList).catch(() => null);
  return (await Promise.race([asked, late]))?.runs ?? [];
}
