// Real agent programs for tests: each installed once below .cache, at exactly the version that is named here. A further agent is one
// entry of `programs`.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../source-files.ts';

export interface AgentProgram {
  readonly title: string;
  /** Of npm. */
  readonly package: string;
  readonly version: string;
  /** Where its program may be below node_modules: whichever runs and is that version is taken. */
  readonly places: readonly string[];
}

const { platform, arch } = process;

export const programs = {
  claude: (version: string): AgentProgram => ({
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version,
    places: ['.bin/claude', `@anthropic-ai/claude-code-${platform}-${arch}/claude`],
  }),
  codex: (version: string): AgentProgram => ({
    title: 'Codex',
    package: '@openai/codex',
    version,
    // Not the script of the package: it would be a second process, of Node, around each agent.
    places: Object.entries({ x64: 'x86_64', arm64: 'aarch64' }).map(([name, cpu]) => {
      const system = platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl';
      return `@openai/codex-${platform}-${name}/vendor/${cpu}-${system}/bin/codex`;
    }),
  }),
};

export type RealCli =
  | { readonly kind: 'there'; readonly binary: string }
  | { readonly kind: 'missing'; readonly why: string };

const agents = join(root, '.cache/agents');
const installTimeoutMs = 5 * 60_000;
const run = promisify(execFile);

/** Concurrent tests install it once. Where that fails, it says why in a sentence. */
export async function installed(program: AgentProgram): Promise<RealCli> {
  const { title, version } = program;
  const folder = join(agents, `${program.package.replace(/^.*\//, '').replace(/-code$/, '')}-${version}`);
  const before = await findBinary(folder, program);
  if (before !== null) return { kind: 'there', binary: before };
  const { withLock } = (await import(pathToFileURL(join(root, 'scripts/lock.mjs')).href)) as LockModule;
  return withLock(`${folder}.lock`, async () => {
    const meanwhile = await findBinary(folder, program);
    if (meanwhile !== null) return { kind: 'there', binary: meanwhile };
    const failure = await install(folder, program);
    const binary = await findBinary(folder, program);
    if (binary !== null) return { kind: 'there', binary };
    const why = failure ?? 'its program does not run on this machine';
    return { kind: 'missing', why: `${title} ${version} could not be installed: ${why}` };
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

interface LockModule {
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
}

async function install(folder: string, program: AgentProgram): Promise<string | null> {
  await mkdir(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save'];
  return run('npm', [...words, `${program.package}@${program.version}`], {
    cwd: folder,
    timeout: installTimeoutMs,
    killSignal: 'SIGKILL',
  }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? 'npm failed') : String(error)),
  );
}

async function findBinary(folder: string, { places, version }: AgentProgram): Promise<string | null> {
  for (const place of places) {
    const binary = join(folder, 'node_modules', place);
    const told = await run(binary, ['--version'], {
      env: { HOME: folder, PATH: process.env['PATH'] },
      timeout: 60_000,
    }).then(
      ({ stdout }) => stdout,
      () => '',
    );
    if (told.split(/\s+/).includes(version)) return binary;
  }
  return null;
}
