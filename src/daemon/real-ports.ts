// The engine's ports on the real machine, and where in the home each part keeps its files.

import { statfs } from 'node:fs/promises';
import { freemem, homedir } from 'node:os';
import { join } from 'node:path';
import { openAdopted } from '../credentials/adopted-sessions.ts';
import { openRunTools } from '../credentials/run-tools.ts';
import { openRunVariables } from '../credentials/run-variables.ts';
import { createChecks } from '../git/checks/checks.ts';
import { createProver } from '../git/checks/prove-attempt.ts';
import type { Identity } from '../git/commands/create-commit.ts';
import type { User } from '../git/commands/git-as-user.ts';
import { createIntegrations, type Integrations } from '../git/integrate/integrate.ts';
import { createLandings, type Landings } from '../git/land/land.ts';
import { openSigning, type Signing } from '../git/signing/signing-key.ts';
import type { Workspaces } from '../git/workspace/workspaces.ts';
import type { Harnesses } from '../harness/harnesses.ts';
import { agentKinds } from '../harness/registry.ts';
import type { NotifierPort, Ports, Seal } from '../ports/engine-ports.ts';
import type { IntegrationPort } from '../ports/integration-port.ts';
import type { Journal } from '../ports/journal.ts';
import type { LandPort } from '../ports/land-port.ts';
import { openHomes } from '../process/homes.ts';
import type { Launches } from '../process/launch/launches.ts';
import type { DaemonLog } from '../server/http/daemon-log.ts';
import { clockAhead } from '../std/clock.ts';
import type { Artifacts } from '../store/artifacts/artifacts.ts';
import type { Config } from './config.ts';
import type { Walls } from './confinement.ts';
import { openFaultPoints } from './fault-points.ts';
import type { OpenPrices } from './price-list.ts';

export interface Parts {
  readonly harnesses: Harnesses;
  readonly journal: Journal;
  readonly launches: Launches;
  readonly workspaces: Workspaces;
  readonly walls: Walls;
  readonly artifacts: Artifacts;
  readonly prices: OpenPrices;
  readonly notifier: NotifierPort;
  readonly log: DaemonLog;
}

export function openPorts(config: Config, parts: Parts): Ports {
  const { harnesses, journal, launches, workspaces, walls, artifacts, prices, notifier, log } = parts;
  const root = workRoot(config);
  const signing = openSigning(signingRoot(config));
  const faults = openFaultPoints(config.dieAfter, log);
  const checks = createChecks({ root, path: config.agentPath, confine: walls.command });
  return faults.ports({
    clock: clockAhead(config.clockAheadMs),
    journal,
    launches,
    workspaces,
    prover: createProver({ root, checks }),
    integrations: integrationPort(
      createIntegrations(faults.integrations({ root, test: checks.run, sign: signing.sign })),
      signing,
    ),
    artifacts,
    notifier,
    landings: landPort(
      createLandings({
        root,
        checks,
        user: userOf(config),
        signNote: signing.signNote,
        coAuthor,
        passing: faults.landing,
      }),
      signing,
    ),
    log,
    variables: openRunVariables(config.home).read,
    tools: openRunTools(config.home).read,
    adopted: openAdopted(config.home).read,
    harness: harnesses.get,
    harnessFlaw: harnesses.flaw,
    homes: openHomes(join(config.home, 'agents')),
    freeMemory: freemem,
    price: prices.price,
    seal: sealPort(signing, log),
    async freeBytes() {
      const { bavail, bsize } = await statfs(config.home);
      return bavail * bsize;
    },
  });
}

function integrationPort({ integrate }: Integrations, signing: Signing): IntegrationPort {
  return {
    async integrate(order, signal) {
      signing.open();
      return integrate(order, signal);
    },
  };
}

function landPort({ land }: Landings, signing: Signing): LandPort {
  return {
    async land(order, signal) {
      signing.open();
      return land(order, signal);
    },
  };
}

/** A key that cannot be used stops no agent: events then have no seal, and `verify` reports it. */
function sealPort(signing: Signing, log: DaemonLog): Seal {
  let trouble = '';
  return (text) => {
    try {
      const seal = signing.seal(text);
      trouble = '';
      return seal;
    } catch (error) {
      if (String(error) !== trouble) log.warn('what is recorded has no seal', { error: String(error) });
      trouble = String(error);
      return null;
    }
  };
}

/** The identity by which commits name an agent. */
export function coAuthor(harness: string): Identity | null {
  return agentKinds.find(({ name }) => name === harness)?.coAuthor ?? null;
}

/** The user in whose repositories work lands. */
export function userOf(config: Config): User {
  return { home: homedir(), path: config.agentPath };
}

export function workRoot(config: Config): string {
  return join(config.home, 'work');
}

export function artifactRoot(config: Config): string {
  return join(config.home, 'artifacts');
}

/** Where Signalbox's own key is. */
export function signingRoot(config: Config): string {
  return join(config.home, 'signing');
}

export function launchRoot(config: Config): string {
  return join(config.home, 'launches');
}
