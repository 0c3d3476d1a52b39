// The daemon: builds every part by hand, serves until it is stopped, and leaves its agents running. It owns its home through
// the journal's lock: without that lock it touches nothing there.

import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { type Credentials, openCredentials } from '../credentials/credentials.ts';
import { loginView } from '../credentials/logins.ts';
import { createAgents } from '../doctor/agent-availability.ts';
import { type EngineOptions, startEngine } from '../engine/engine.ts';
import { openWorkspaces } from '../git/workspace/workspaces.ts';
import { createRules } from '../harness/create-rules.ts';
import { createHarnesses } from '../harness/harnesses.ts';
import { agentKinds } from '../harness/registry.ts';
import type { Journal } from '../ports/journal.ts';
import { closeInherited } from '../process/inherited.ts';
import { openLaunches } from '../process/launch/launches.ts';
import type { DaemonLog } from '../server/http/daemon-log.ts';
import { loadRequests } from '../server/http/read-request.ts';
import { serve } from '../server/http/server.ts';
import type { Served } from '../server/routes/route-context.ts';
import { createRoutes } from '../server/routes/routes.ts';
import { writeAtomic } from '../std/files.ts';
import { ownDirectory } from '../std/own-directory.ts';
import { openArtifacts } from '../store/artifacts/artifacts.ts';
import { endThread } from '../store/sqlite/journal-thread.ts';
import { openSqliteJournal } from '../store/sqlite/sqlite-journal.ts';
import { hashedEnvironment } from '../wire/environment-hashes.ts';
import { keepTranscripts } from './compress-transcripts.ts';
import type { Config } from './config.ts';
import { type Confinement, chooseConfinement } from './confinement.ts';
import { openConfiguration } from './live-configuration.ts';
import { openNotifier } from './notifier.ts';
import { openPrices } from './price-list.ts';
import { artifactRoot, launchRoot, openPorts, workRoot } from './real-ports.ts';
import { finishRemovals, openRemovedRuns } from './removed-runs.ts';
import { servedOf } from './served-world.ts';

export interface DaemonOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: DaemonLog;
  /** Aborted when the daemon is to stop. */
  readonly leaving: AbortController;
  readonly onReady: () => void;
  /** A thread for the journal that was started earlier. */
  readonly thread: Worker | undefined;
}

const engineLimits = { inboxMax: 10_000, batchMax: 500, snapshotEvery: 500, tickLimitMs: 1_000 };
const guardEveryMs = 1_000;
const keepEveryMs = 60_000;
const configureEveryMs = 1_000;
/** By then the client that started the daemon has its answer. */
const loadRequestsAfterMs = 1_000;

export function journalPath(home: string): string {
  return join(home, 'journal.db');
}

/** Resolves after an orderly stop; rejects with the Fault that prevented it from serving, or with a bug. */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  try {
    await runWithJournal(options);
  } finally {
    // If no journal took it over.
    if (options.thread !== undefined) await endThread(options.thread);
  }
}

async function runWithJournal(options: DaemonOptions): Promise<void> {
  const { config, log } = options;
  closeInherited();
  await ownDirectory(config.home);
  // Takes as long as opening the journal and changes nothing.
  const confining = chooseConfinement(config);
  // Take the lock first: what follows may remove and replace files.
  const journal = await openSqliteJournal({ path: journalPath(config.home), thread: options.thread });
  try {
    await serveUntilLeaving(options, journal, await confining);
  } finally {
    await journal.close();
  }
  log.info('daemon left', { pid: process.pid });
}

async function serveUntilLeaving(
  options: DaemonOptions,
  journal: Journal,
  { confinement, sandbox, open }: Confinement,
): Promise<void> {
  const { config, version, log, leaving, onReady } = options;
  const configuration = openConfiguration(config, log);
  const configuring = configuration.refresh();
  const credentials = openCredentials(config.home, config.agentEnv);
  const [harnesses, rules] = await Promise.all([
    createHarnesses(agentKinds, config, credentials),
    createRules(agentKinds),
  ]);
  const walls = await open();
  const launches = openLaunches({ root: launchRoot(config), confine: walls.confine });
  const workspaces = await openWorkspaces({
    root: workRoot(config),
    userHome: homedir(),
    recycle: confinement.kind === 'namespace',
    scripts: { path: config.agentPath, confine: walls.command },
  });
  const prices = openPrices(config.home, rules, (flaw) => log.warn('prices not used', { flaw }));
  const artifacts = openArtifacts(artifactRoot(config));
  const { notifier, begun } = openNotifier(config, configuration, log);
  const parts = { harnesses, journal, launches, workspaces, walls, artifacts, prices, notifier, log };
  const ports = openPorts(config, parts);
  await configuring;
  const engine = await startEngine(ports, { ...optionsOf(config), ...configuration.engine });
  begun(engine);
  const removal = await finishRemovals(openRemovedRuns(config.home, workspaces), engine, log, leaving.signal);
  const startedAt = Date.now();
  const environment = hashedEnvironment(config.noticedEnv);
  const about = { version, pid: process.pid, startedAt, home: config.home, confinement, sandbox, environment };
  await ownDirectory(dirname(config.socketPath));
  const server = await serve({
    socketPath: config.socketPath,
    routes: createRoutes({
      engine,
      journal,
      about,
      leaving: leaving.signal,
      ...servedOf(config, { ...parts, removal }, leaving),
      ...servedAgents(config, credentials),
    }),
    log,
  });
  const aboutPath = await writeAbout(config.home, { pid: process.pid, version, startedAt }, log);
  const configured = configuration.follow(engine.configure, configureEveryMs, leaving.signal);
  const kept = keepTranscripts({ engine, launches, log, everyMs: keepEveryMs, signal: leaving.signal });
  log.info('daemon ready', {
    pid: process.pid,
    version,
    home: config.home,
    confinement: confinement.kind,
    sandbox: sandbox.works,
  });
  onReady();
  setTimeout(() => void loadRequests(), loadRequestsAfterMs).unref();
  const left = once(leaving.signal, 'abort');
  try {
    // Rejects when the engine meets a bug; it resolves only when it is stopped.
    await Promise.race([left, engine.done]);
  } finally {
    leaving.abort();
    await server.close();
    await kept;
    await configured;
    await engine.stop();
    await rm(aboutPath, { force: true }).catch(() => undefined);
  }
}

/** For people and scripts only: on a full disk the daemon does without. The path of the file. */
async function writeAbout(home: string, about: object, log: DaemonLog): Promise<string> {
  const path = join(home, 'daemon.json');
  // It need not be durable, because the process it names does not survive a power loss.
  await writeAtomic(path, `${JSON.stringify(about)}\n`, { durable: false }).catch((error: unknown) =>
    log.warn('daemon.json could not be written', { error: String(error) }),
  );
  return path;
}

function optionsOf(config: Config): EngineOptions {
  return {
    host: 'local',
    slots: config.slots,
    harnessSlots: config.harnessSlots,
    freeMemoryMin: config.freeMemoryMin,
    guard: { everyMs: guardEveryMs, freeBytesMin: config.freeBytesMin },
    ...engineLimits,
  };
}

function servedAgents(config: Config, credentials: Credentials): Pick<Served, 'requireFit' | 'agents' | 'logins'> {
  const { requireFit, list } = createAgents(config, credentials);
  return {
    requireFit,
    agents: list,
    logins: () => [...credentials.needs.keys()].map((name) => loginView(credentials, name)),
  };
}
