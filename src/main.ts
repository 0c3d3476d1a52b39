#!/usr/bin/env node
// The program: reads the configuration, hands it to the verbs, and knows how a daemon is run. Nothing is decided here.

import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runCli } from './cli/program.ts';
import { loadConfig } from './config.ts';
import { builtFile, packageRoot } from './std/built-file.ts';
import { Fault, isFault } from './std/fault.ts';

/** sysexits: a bug. */
const bugExit = 70;

process.exitCode = await runCli(process.argv, {
  version: versionOf(),
  config: loadConfig,
  mainFile: builtFile('main.js'),
  daemon,
  verify,
  logins: async () => (await import('./logins.ts')).createLogins(loadConfig()),
  diagnosis: async () => (await import('./diagnosis.ts')).createDiagnosis(loadConfig()),
});

async function daemon(onReady: () => void): Promise<void> {
  const [{ runDaemon }, { createLog }] = await Promise.all([import('./daemon.ts'), import('./server/log.ts')]);
  // Of what the daemon holds most is garbage: Node by itself lets that grow to three times what is in use.
  setFlagsFromString('--heap-growing-percent=40');
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

/** Reads the journal as it lies there, with or without a daemon. */
async function verify(stream: string | null): Promise<readonly { stream: string; seq: number; detail: string }[]> {
  const [{ openSqliteJournal }, { journalPath }] = await Promise.all([
    import('./store/sqlite/sqlite-journal.ts'),
    import('./daemon.ts'),
  ]);
  const journal = await openSqliteJournal({ path: journalPath(loadConfig().home), readOnly: true });
  try {
    if (stream !== null && (await journal.head(stream)) === null) {
      throw new Fault('not_found', `the journal has no run ${stream}`);
    }
    return await journal.verify(stream ?? undefined);
  } catch (error) {
    // A file too damaged to be opened is what was asked about.
    if (isFault(error, 'journal_corrupt')) return [{ stream: '', seq: 0, detail: error.message }];
    throw error;
  } finally {
    await journal.close();
  }
}

function versionOf(): string {
  const path = join(packageRoot(), 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
