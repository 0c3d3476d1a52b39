// The whole program, verbs and daemon: reads the configuration, passes it to the verbs, and knows how to run a daemon. Nothing
// is decided here. `main.ts` loads it.

import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { runCli } from './cli/options/program.ts';
import { loadConfig } from './daemon/config.ts';
import { tiersOf, usualModelsOf } from './harness/agent-kind.ts';
import { agentKinds } from './harness/registry.ts';
import { builtFile, packageRoot } from './std/built-file.ts';
import { Fault } from './std/fault.ts';

/** sysexits: a bug. */
const bugExit = 70;

/** `thread`: for the journal of a daemon, started in advance. */
export async function start(thread?: Worker): Promise<void> {
  process.exitCode = await runCli(process.argv, {
    version: versionOf(),
    config: loadConfig,
    mainFile: builtFile('main.cjs'),
    daemon: (onReady) => daemon(onReady, thread),
    verify: async (about) => (await import('./daemon/verify-journal.ts')).verify(loadConfig(), about),
    logins: async () => (await import('./credentials/logins.ts')).createLogins(loadConfig()),
    harnessNames: agentKinds.map(({ name }) => name),
    installableHarnesses: agentKinds.filter(({ program }) => program !== undefined).map(({ name }) => name),
    usualModels: usualModelsOf(agentKinds),
    tiers: tiersOf(agentKinds),
    harnessTitle: (name) => agentKinds.find((kind) => kind.name === name)?.title ?? name,
    harnesses: async () => (await import('./harness/create-rules.ts')).createRules(agentKinds),
    diagnosis: async () => (await import('./daemon/diagnosis.ts')).createDiagnosis(loadConfig()),
  });
}

async function daemon(onReady: () => void, thread: Worker | undefined): Promise<void> {
  const [{ runDaemon }, { createLog }] = await Promise.all([
    import('./daemon/daemon.ts'),
    import('./server/http/daemon-log.ts'),
  ]);
  const log = createLog((line) => writeSync(2, line), Date.now);
  const leaving = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => leaving.abort());
  process.on('SIGHUP', () => undefined);
  const crash = (error: unknown): never => {
    log.error('daemon crashed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.exit(bugExit);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  try {
    await runDaemon({ config: loadConfig(), version: versionOf(), log, leaving, onReady, thread });
  } catch (error) {
    if (!(error instanceof Fault)) crash(error);
    else log.error('daemon cannot serve', { code: error.code, error: error.message });
    throw error;
  }
}

function versionOf(): string {
  const path = join(packageRoot(), 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
