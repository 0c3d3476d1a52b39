// Puts together what `signalbox doctor` needs to know of this machine.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedAgents, strangersOn } from '../doctor/agent-availability.ts';
import type { Diagnosis, JournalState, Mechanism } from '../doctor/finding.ts';
import { howToFix, sandboxMechanisms } from '../doctor/sandbox-diagnosis.ts';
import { agentKinds } from '../harness/registry.ts';
import { minuteMs } from '../harness/stall-windows.ts';
import { onlyNames } from '../model/spending/harness-rules.ts';
import { probeNamespace, trustedPath } from '../process/confine.ts';
import { Fault } from '../std/fault.ts';
import { formatCurrent } from '../store/sqlite/migrations.ts';
import { openSqliteJournal } from '../store/sqlite/sqlite-journal.ts';
import type { Config } from './config.ts';
import { sandboxOptions } from './confinement.ts';
import { journalPath } from './daemon.ts';
import { openPrices } from './price-list.ts';

export function createDiagnosis(config: Config): Diagnosis {
  const { agentPath, freeBytesMin } = config;
  return {
    trustedPath,
    freeBytesMin,
    agents: installedAgents(config),
    stalls: stallMinutes(),
    strangers: strangersOn(agentPath),
    mechanisms: async () => [
      await namespace(config),
      ...(await sandboxMechanisms(config.confine, sandboxOptions(config))),
      session(),
      marks(),
    ],
    prices: openPrices(config.home, onlyNames(), () => undefined).look,
    journal: () => readJournal(journalPath(config.home)),
  };
}

export function stallMinutes(): Diagnosis['stalls'] {
  return agentKinds.map(({ name: harness, stall: { stallMs, toolStallMs } }) => {
    return { harness, silence: stallMs / minuteMs, toolSilence: toolStallMs / minuteMs };
  });
}

async function namespace({ confine }: Config): Promise<Mechanism> {
  const common = {
    name: 'namespace',
    without: 'Agents share your process table: what forks twice and clears its environment can outlive a stop.',
  };
  if (confine === 'none') {
    return { ...common, works: false, says: 'Disabled by SIGNALBOX_CONFINE=none.', fix: 'Unset SIGNALBOX_CONFINE.' };
  }
  const probed = await probeNamespace();
  if (probed.works) return { ...common, works: true, says: 'Agents get their own pid namespace.', fix: null };
  return { ...common, works: false, says: `bubblewrap does not work: ${probed.why}.`, fix: howToFix(probed.why) };
}

function session(): Mechanism {
  const there = trustedPath.split(':').some((folder) => isExecutable(join(folder, 'setsid')));
  return {
    name: 'session',
    works: there,
    says: there ? 'Agents get a session of their own.' : 'There is no setsid.',
    without: "Outside a namespace, an agent's `kill 0` ends its supervising shell too.",
    fix: there ? null : 'Install util-linux; macOS has none.',
  };
}

function marks(): Mechanism {
  const readable = isReadable('/proc/self/environ');
  return {
    name: 'marks',
    works: readable || process.platform === 'darwin',
    says: readable
      ? 'Processes of an agent are known by their environment.'
      : 'The environment of processes cannot be read.',
    without: 'Outside a namespace, what leaves its session cannot be found again.',
    fix: readable ? null : 'Mount /proc without hidepid.',
  };
}

async function readJournal(path: string): Promise<JournalState> {
  if (!existsSync(path)) return { kind: 'none' };
  try {
    const journal = await openSqliteJournal({ path, readOnly: true });
    await journal.close();
    return { kind: 'readable', format: formatCurrent };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === 'journal_older') return { kind: 'older' };
    // A journal on a read-only disk is reported with the home.
    const damaged = error.code === 'journal_corrupt' || error.code === 'journal_newer';
    return { kind: 'unreadable', why: error.message, damaged };
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isReadable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}
