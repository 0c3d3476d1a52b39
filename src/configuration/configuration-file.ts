// The keys of a configuration file, in one table: the values of each, and who may set it. Editors get the same schema as
// docs/config.schema.json. A repository's file is written by strangers: only the user's own file may hold a key that could
// weaken the user's protection or run something outside the sandbox.

import { z } from 'zod';
import { didYouMean } from '../plan/did-you-mean.ts';
import { check, coAuthor, commits } from '../plan/file/landing-file.ts';
import { limits } from '../plan/file/plan-file.ts';
import type { Flaw } from '../plan/file/problem.ts';
import { modelsFile } from '../plan/tier-models.ts';
import { ownKinds } from './tools/own-tools.ts';

/** `yours`: the user's own file, for all repositories. `repository`: the file in a checkout. */
export type Whose = 'yours' | 'repository';

interface Key<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** Why only one of the two files may have it. */
  readonly only?: { readonly whose: Whose; readonly why: string };
  /** What is wrong with a value of the right shape. */
  flaw?(value: z.output<Schema>, given: Given): Flaw | null;
}

export interface Given {
  readonly whose: Whose;
  readonly harnesses: HarnessNames;
}

export interface HarnessNames {
  readonly all: readonly string[];
  /** Harnesses whose programs people install: they do real work by themselves. */
  readonly installable: readonly string[];
}

const key = <Schema extends z.ZodType>(schema: Schema, more: Omit<Key<Schema>, 'schema'> = {}): Key<Schema> => ({
  schema,
  ...more,
});

const slot = z.int().min(1).max(10_000);

export const configurationKeys = {
  harness: key(z.string().min(1).describe('the kind of agent, as `signalbox doctor` names it'), { flaw: harnessFlaw }),
  model: key(z.string().min(1).max(200).describe('the model of that agent; left out: its own default')),
  models: key(modelsFile.describe('the models that strong, fast and cheap mean, by harness; those left out stay'), {
    flaw: modelsFlaw,
  }),
  effort: key(z.string().min(1).max(100).describe('how much the model thinks, if the agent has such a setting')),
  checks: key(z.array(check).max(50).describe('commands that must exit 0 on the work of every task that sets none')),
  setup: key(z.string().min(1).max(32_000).describe('a command that installs what work and checks need'), {
    only: { whose: 'repository', why: 'each repository needs its own: write it into .signalbox/config.yaml there' },
  }),
  env: key(
    z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'this is not the name of a variable'))
      .max(100)
      .describe('names of variables of your environment that agents get; of a repository: those that it would like'),
  ),
  'your-tools': key(
    z
      .array(z.enum(ownKinds))
      .max(ownKinds.length)
      .describe('which of your own tools agents get: instructions (CLAUDE.md, AGENTS.md), skills, mcp (servers)'),
    { only: { whose: 'yours', why: 'a repository does not decide which of your tools its agents get' } },
  ),
  sandbox: key(z.enum(['workspace', 'none']).describe('how agents are confined'), {
    flaw: (value, { whose }) => (value === 'none' && whose === 'repository' ? sandboxRefused : null),
  }),
  commits: key(commits.describe('what history a landing makes')),
  'co-author': key(coAuthor.describe('how a landed commit names the agent')),
  limits: key(limits.describe('limits of a run that sets none; of the two files the lower one holds')),
  slots: key(
    z
      .union([slot, z.strictObject({ all: slot }).catchall(slot)], {
        error: 'this takes a number, or a mapping with "all" and the names of harnesses, as in { all: 8, claude: 4 }',
      })
      .describe('how many agents may work at once on this machine'),
    { only: { whose: 'yours', why: 'a repository does not decide about your machine' } },
  ),
  notify: key(z.string().min(1).max(10_000).describe('a shell command that gets each notification, or off'), {
    only: { whose: 'yours', why: 'it is run outside the sandbox, so no repository may name it' },
  }),
  remind: key(
    z
      .union([z.number().positive().max(100_000), z.literal('off')], {
        error: 'this takes a number of minutes, or off',
      })
      .describe('after how many minutes you are notified again of what nobody has answered, or off'),
    { only: { whose: 'yours', why: 'a repository does not decide when you are notified' } },
  ),
} as const satisfies Record<string, unknown>;

export type ConfigurationName = keyof typeof configurationKeys;
type Keys = typeof configurationKeys;

export const configurationNames = Object.keys(configurationKeys) as ConfigurationName[];

export const configurationFile = z.strictObject(
  Object.fromEntries(configurationNames.map((name) => [name, configurationKeys[name].schema.optional()])) as {
    [Name in ConfigurationName]: z.ZodOptional<Keys[Name]['schema']>;
  },
);

export type ConfigurationFile = z.output<typeof configurationFile>;

/** What is wrong with a key in this file; null = nothing. */
export function flawOf(name: ConfigurationName, value: unknown, given: Given): Flaw | null {
  const { only, flaw } = configurationKeys[name] as Key<z.ZodType>;
  if (only !== undefined && only.whose !== given.whose) {
    const place = only.whose === 'yours' ? 'your own configuration' : "a repository's configuration";
    return { message: `"${name}" belongs into ${place}`, suggestion: only.why };
  }
  return flaw?.(value, given) ?? null;
}

const sandboxRefused: Flaw = {
  message: 'a repository cannot turn the sandbox off',
  suggestion: 'say it yourself: --sandbox none, or in your own configuration',
};

function modelsFlaw(value: Readonly<Record<string, unknown>>, { harnesses: { all } }: Given): Flaw | null {
  const unknown = Object.keys(value).find((name) => !all.includes(name));
  if (unknown === undefined) return null;
  return { message: `there is no harness "${unknown}"`, suggestion: didYouMean(unknown, all) };
}

function harnessFlaw(value: string, { whose, harnesses }: Given): Flaw | null {
  const { all, installable } = harnesses;
  if (!all.includes(value)) {
    return { message: `there is no harness "${value}"`, suggestion: didYouMean(value, all) };
  }
  if (whose === 'yours' || installable.includes(value)) return null;
  const message = `a repository cannot choose "${value}", which does no work by itself`;
  return { message, suggestion: `it takes ${installable.join(', ')}; --harness ${value} is for you to say` };
}
