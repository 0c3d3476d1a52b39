// The real Claude Code CLI for tests: installed once for each version below .cache, and run only against a model on
// loopback, with a home of its own and a key that opens nothing.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { claudeTested } from '../../src/harness/claude/version.ts';
import { sized } from '../size.ts';
import { root } from '../source-files.ts';
import type { ModelServer } from './model-server.ts';

/** Every version that we say is tested: `npm run test:full` runs every suite on each. */
export const cliVersions = claudeTested;
export type CliVersion = (typeof cliVersions)[number];
export const newestCli: CliVersion = '2.1.326';

/** What `npm test` runs the suites on that depend on the version: where versions differ, the ends of the range do. */
export const cliRange: readonly CliVersion[] = sized(['2.1.197', newestCli], [...cliVersions]);

export type RealCli =
  | { readonly kind: 'there'; readonly binary: string }
  | { readonly kind: 'missing'; readonly why: string };

const agents = join(root, '.cache/agents');
const installTimeoutMs = 5 * 60_000;
const run = promisify(execFile);

/** Concurrent tests install it once. Where that fails, it says why in a sentence. */
export async function realCli(version: CliVersion): Promise<RealCli> {
  const folder = join(agents, `claude-${version}`);
  const before = await findBinary(folder, version);
  if (before !== null) return { kind: 'there', binary: before };
  const { withLock } = (await import(pathToFileURL(join(root, 'scripts/lock.mjs')).href)) as LockModule;
  return withLock(`${folder}.lock`, async () => {
    const meanwhile = await findBinary(folder, version);
    if (meanwhile !== null) return { kind: 'there', binary: meanwhile };
    const failure = await install(folder, version);
    const binary = await findBinary(folder, version);
    if (binary !== null) return { kind: 'there', binary };
    const why = failure ?? 'its program does not run on this machine';
    return { kind: 'missing', why: `Claude Code ${version} could not be installed: ${why}` };
  });
}

/**
 * What a test does that cannot have its program: by hand it is skipped, with the reason. Continuous integration has to have it,
 * and a suite that tested nothing there is not a suite that passed.
 */
export function withoutProgram(skip: (why: string) => never, why: string, env = process.env): never {
  if (env['CI'] !== undefined && env['CI'] !== '') throw new Error(`${why} (CI is set: this is not skipped)`);
  return skip(why);
}

/** All there is of an environment: nothing of the person's who runs the tests. */
export function cliEnvironment(server: ModelServer): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'dummy',
  };
}

interface LockModule {
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
}

async function install(folder: string, version: CliVersion): Promise<string | null> {
  await mkdir(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save'];
  return run('npm', [...words, `@anthropic-ai/claude-code@${version}`], {
    cwd: folder,
    timeout: installTimeoutMs,
    killSignal: 'SIGKILL',
  }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? 'npm failed') : String(error)),
  );
}

/** Whichever of the two places of the program runs and is that version. */
async function findBinary(folder: string, version: CliVersion): Promise<string | null> {
  const modules = join(folder, 'node_modules');
  const platform = `claude-code-${process.platform}-${process.arch}`;
  for (const binary of [join(modules, '.bin/claude'), join(modules, '@anthropic-ai', platform, 'claude')]) {
    const told = await run(binary, ['--version'], {
      env: { HOME: folder, PATH: process.env['PATH'] },
      timeout: 60_000,
    }).then(
      ({ stdout }) => stdout,
      () => '',
    );
    if (told.startsWith(`${version} `)) return binary;
  }
  return null;
}
