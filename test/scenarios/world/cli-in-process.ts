// The CLI run inside the test's own process: the same code with its own arguments, environment, directory and streams, without
// the start of a process for each command. Where the process itself is what is tested, a test starts one.

import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../../src/cli/options/program.ts';
import { loadConfig } from '../../../src/daemon/config.ts';
import { tiersOf, usualModelsOf } from '../../../src/harness/agent-kind.ts';
import { createRules } from '../../../src/harness/create-rules.ts';
import { agentKinds } from '../../../src/harness/registry.ts';
import { root } from '../../source-files.ts';
import { type Ended, mainFile } from './cli-process.ts';

interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

const inside = new AsyncLocalStorage<Streams>();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
let directory = root;
let running = 0;

for (const name of ['stdin', 'stdout', 'stderr'] as const) {
  const own = process[name];
  Object.defineProperty(process, name, { configurable: true, get: () => inside.getStore()?.[name] ?? own });
}

/** Null where it cannot be: another command runs in another directory, and a process has only one. */
export function runInProcess(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> | null {
  if (running > 0 && directory !== cwd) return null;
  return run(args, cwd, env);
}

async function run(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  const stdout = collect();
  const stderr = collect();
  running += 1;
  if (directory !== cwd) process.chdir(cwd);
  directory = cwd;
  try {
    const streams = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream };
    const code = await inside.run(streams, () => runCli(['node', mainFile, ...args], lentFor(env)));
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    running -= 1;
    // The directory of a test is removed after it.
    if (running === 0) process.chdir((directory = root));
  }
}

function lentFor(env: Record<string, string>): Parameters<typeof runCli>[1] {
  const config = (): ReturnType<typeof loadConfig> => loadConfig(env);
  return {
    version,
    config,
    mainFile,
    daemon: () => Promise.reject(new Error('a daemon is a process of its own')),
    verify: async (about) => (await import('../../../src/daemon/verify-journal.ts')).verify(config(), about),
    logins: async () => (await import('../../../src/credentials/logins.ts')).createLogins(config()),
    harnessNames: agentKinds.map(({ name }) => name),
    installableHarnesses: agentKinds.filter(({ program }) => program !== undefined).map(({ name }) => name),
    usualModels: usualModelsOf(agentKinds),
    tiers: tiersOf(agentKinds),
    harnessTitle: (name) => agentKinds.find((kind) => kind.name === name)?.title ?? name,
    harnesses: () => createRules(agentKinds),
    diagnosis: async () => (await import('../../../src/daemon/diagnosis.ts')).createDiagnosis(config()),
  };
}

function collect(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
