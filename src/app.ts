// The whole program, verbs and daemon: reads the configuration, hands it to the verbs, and knows how a daemon is run.
// Nothing is decided here. `main.ts` loads it.

import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from './cli/program.ts';
import { loadConfig } from './config.ts';
import { builtFile, packageRoot } from './std/built-file.ts';
import { Fault } from './std/fault.ts';

/** sysexits: a bug. */
const bugExit = 70;

const exitCode = runCli(process.argv, {
  version: versionOf(),
  config: loadConfig,
  mainFile: builtFile('main.cjs'),
  daemon,
  verify: async (about) => (await import('./verifying.ts')).verify(loadConfig(), about),
  logins: async () => (await import('./logins.ts')).createLogins(loadConfig()),
  diagnosis: async () => (await import('./diagnosis.ts')).createDiagnosis(loadConfig()),
});
void exitCode.then((code) => {
  process.exitCode = code;
});

async function daemon(onReady: () => void): Promise<void> {
  const [{ runDaemon }, { createLog }] = await Promise.all([import('./daemon.ts'), import('./server/log.ts')]);
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
    await runDaemon({ config: loadConfig(), version: versionOf(), log, leaving, onReady });
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
