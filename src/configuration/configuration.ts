// The configuration that applies here: the values of the user's own file and of the repository's, each with its source. The
// repository's value overrides the user's, except for limits (the lower one counts) and env (the user alone decides).

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Budget } from '../model/spending/budget.ts';
import type { Problem } from '../plan/file/problem.ts';
import type { PlanLimits } from '../plan/plan.ts';
import { errnoOf, readIfThere } from '../std/files.ts';
import { type ConfigurationName, configurationNames, type HarnessNames, type Whose } from './configuration-file.ts';
import { type ConfigurationRead, readConfiguration, type Values } from './read-configuration.ts';

export interface Configuration {
  readonly values: Values;
  /** The source of each value, as `file:line`; limits may have two. */
  readonly sources: Readonly<Partial<Record<ConfigurationName, string>>>;
  /** Variables that the repository wants for its agents and that the user has not allowed. */
  readonly wantedEnv: readonly string[];
  readonly problems: readonly Problem[];
}

/** Below the top of a checkout. */
export const repositoryFile = '.signalbox/config.yaml';

export interface ConfigurationPlaces {
  /** The user's own file. */
  readonly yours: string;
  /** The top of the checkout; null = there is none. */
  readonly top: string | null;
}

export async function loadConfiguration(
  { yours, top }: ConfigurationPlaces,
  harnesses: HarnessNames,
): Promise<Configuration> {
  const read = async (path: string, shown: string, whose: Whose): Promise<ConfigurationRead | null> => {
    const text = await contents(path, shown);
    return text === null ? null : 'problems' in text ? text : readConfiguration(text.text, shown, { whose, harnesses });
  };
  const [own, shared] = await Promise.all([
    read(yours, yours, 'yours'),
    top === null ? null : read(join(top, repositoryFile), repositoryFile, 'repository'),
  ]);
  return merged({ file: yours, read: own }, { file: repositoryFile, read: shared });
}

interface Part {
  readonly file: string;
  readonly read: ConfigurationRead | null;
}

export function merged(yours: Part, repository: Part): Configuration {
  const [own, shared] = [yours.read?.values ?? {}, repository.read?.values ?? {}];
  const limits = lowerLimits(own.limits, shared.limits);
  const wantedEnv = (shared.env ?? []).filter((name) => own.env?.includes(name) !== true);
  const { env: _, limits: _l, ...others } = shared;
  const values: Values = { ...own, ...others, ...(limits === undefined ? {} : { limits }) };
  const placeIn = ({ file, read }: Part, name: ConfigurationName): string[] =>
    read?.values[name] === undefined ? [] : [`${file}:${read.place(name).line}`];
  const sources = configurationNames.flatMap((name) => {
    const [ofYours, ofRepository] = [placeIn(yours, name), placeIn(repository, name)];
    const from =
      name === 'limits'
        ? [...ofYours, ...ofRepository]
        : name === 'env'
          ? ofYours
          : [...ofRepository, ...ofYours].slice(0, 1);
    return from.length === 0 ? [] : [[name, from.join(', ')] as const];
  });
  const problems = [yours, repository].flatMap(({ read }) => read?.problems ?? []);
  return { values, sources: Object.fromEntries(sources), wantedEnv, problems };
}

/** A second file never raises a limit: of two amounts the lower one counts. */
function lowerLimits(a: PlanLimits | undefined, b: PlanLimits | undefined): PlanLimits | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const { maxParallel } = lowerOf(
    { maxParallel: a.maxParallel ?? undefined },
    { maxParallel: b.maxParallel ?? undefined },
  );
  return {
    maxParallel: maxParallel ?? null,
    perHarness: lowerOf(a.perHarness, b.perHarness),
    budget: lowerBudget(a.budget, b.budget),
    confirmAbove: lowerBudget(a.confirmAbove, b.confirmAbove),
    agents: lowerOf(a.agents, b.agents),
  };
}

function lowerBudget(a: Budget | null, b: Budget | null): Budget | null {
  return a === null || b === null ? (a ?? b) : lowerOf(a, b);
}

type Amounts = Readonly<Record<string, number | undefined>>;

function lowerOf<T extends object>(a: T, b: T): T {
  const [first, second] = [a as Amounts, b as Amounts];
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const lower = names.map((name) => [name, Math.min(first[name] ?? Infinity, second[name] ?? Infinity)] as const);
  return Object.fromEntries(lower.filter(([, amount]) => Number.isFinite(amount))) as T;
}

/** null = there is no file. Regular files only: reading a pipe would block. */
async function contents(path: string, shown: string): Promise<{ text: string } | ConfigurationRead | null> {
  const unreadable = (why: string): ConfigurationRead => {
    const message = `the configuration cannot be read: ${why}`;
    const problem: Problem = { severity: 'error', message, file: shown, line: 1, column: 1, suggestion: null };
    return { values: {}, problems: [problem], place: () => ({ line: 1, column: 1 }) };
  };
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return unreadable('it is no file');
    const text = await readIfThere(path);
    return text === null ? null : { text };
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : unreadable(code ?? String(error));
  }
}
