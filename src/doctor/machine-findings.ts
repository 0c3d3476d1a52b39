// Findings about the machine: programs, how agents' processes are kept together, what may kill them from outside.
// Decisions are pure; the facts are read beside them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Probe, probe } from '../process/run-probe.ts';
import type { Diagnosis, Finding, Mechanism } from './finding.ts';

const nodeFloor = [20, 19] as const;
/** The first with a merge that needs no work tree. */
const gitFloor = [2, 38] as const;
const instancesMin = 64;
const watchesMin = 8192;

export async function machineFindings(diagnosis: Diagnosis): Promise<readonly Finding[]> {
  const env = { PATH: diagnosis.trustedPath, LC_ALL: 'C' };
  const [git, mechanisms, outsiders] = await Promise.all([
    probe('git', ['--version'], env),
    diagnosis.mechanisms(),
    readOutsiders(env),
  ]);
  return [
    nodeFinding(process.versions.node),
    gitFinding(git, diagnosis.trustedPath),
    ...mechanisms.map(mechanismFinding),
    ...outsiderFindings(outsiders),
    ...watchFindings(
      numberIn('/proc/sys/fs/inotify/max_user_instances'),
      numberIn('/proc/sys/fs/inotify/max_user_watches'),
    ),
  ];
}

export function nodeFinding(version: string): Finding {
  const common = { name: 'node', vital: true };
  if (reaches(version, nodeFloor)) return { ...common, state: 'ok', says: `Node ${version}.`, mend: null };
  const says = `Node ${version} is too old: Signalbox needs ${nodeFloor.join('.')}.`;
  return { ...common, state: 'missing', says, mend: 'Install a newer Node, for instance from nodejs.org.' };
}

export function gitFinding(found: Probe, trustedPath: string): Finding {
  const common = { name: 'git', vital: true };
  if (found.kind === 'absent') {
    const says = `There is no git in ${trustedPath}; workspaces are made with it.`;
    return { ...common, state: 'missing', says, mend: `Install git ${gitFloor.join('.')} or newer.` };
  }
  const version = found.kind === 'said' ? /\d+\.\d+(\.\d+)?/.exec(found.text)?.[0] : undefined;
  if (version === undefined) {
    const why = found.kind === 'failed' ? found.why : 'it does not tell its version';
    return { ...common, state: 'missing', says: `git does not work: ${why}.`, mend: 'Run `git --version` and see.' };
  }
  if (reaches(version, gitFloor)) return { ...common, state: 'ok', says: `git ${version}.`, mend: null };
  const says = `git ${version} is too old: merging without a work tree came with ${gitFloor.join('.')}.`;
  return { ...common, state: 'missing', says, mend: `Install git ${gitFloor.join('.')} or newer.` };
}

export function mechanismFinding({ name, works, says, without, mend }: Mechanism): Finding {
  if (works) return { name, vital: false, state: 'ok', says, mend: null };
  return { name, vital: false, state: 'weaker', says: `${says} ${without}`, mend };
}

/** What may end a daemon and its agents from outside; null = it cannot be told. */
export interface Outsiders {
  readonly killsUserProcesses: boolean | null;
  readonly lingers: boolean | null;
  /** The service of systemd that this shell runs in. */
  readonly service: string | null;
}

export function outsiderFindings({ killsUserProcesses, lingers, service }: Outsiders): readonly Finding[] {
  const findings: Finding[] = [];
  if (killsUserProcesses !== null) {
    const kills = killsUserProcesses && lingers !== true;
    findings.push({
      name: 'logout',
      vital: false,
      state: kills ? 'weaker' : 'ok',
      says: kills
        ? 'systemd ends all your processes when you log out (KillUserProcesses), daemon and agents too; the next start takes the work up again.'
        : 'Logging out does not end daemon and agents.',
      mend: kills
        ? 'Run `loginctl enable-linger`, or start the daemon with `systemd-run --user --scope signalbox up`.'
        : null,
    });
  }
  if (service !== null) {
    findings.push({
      name: 'service',
      vital: false,
      state: 'weaker',
      says: `This runs in ${service}: when that service stops, systemd ends a daemon started from here and its agents.`,
      mend: `Set KillMode=process in ${service}, or start the daemon with \`systemd-run --scope signalbox up\`.`,
    });
  }
  return findings;
}

/** The service whose processes systemd would end together; the one that holds a user's own services is none. */
export function serviceIn(cgroups: string): string | null {
  for (const line of cgroups.split('\n')) {
    const [, path] = /^(?:0::|\d+:name=systemd:)(.*)$/.exec(line) ?? [];
    const last = path?.split('/').at(-1) ?? '';
    if (last.endsWith('.service') && !last.startsWith('user@')) return last;
  }
  return null;
}

/** The last setting counts; without one processes are left alone. */
export function killsIn(settings: readonly string[]): boolean {
  const last = settings.flatMap((text) => [...text.matchAll(/^\s*KillUserProcesses\s*=\s*(\w+)\s*$/gm)]).at(-1)?.[1];
  return /^(yes|true|on|1)$/i.test(last ?? '');
}

function watchFindings(instances: number | null, watches: number | null): readonly Finding[] {
  if (instances === null || watches === null) return [];
  const few = instances < instancesMin || watches < watchesMin;
  return [
    {
      name: 'inotify',
      vital: false,
      state: few ? 'weaker' : 'ok',
      says: `You may watch files with ${instances} instances and ${watches} watches${few ? ': agents that run test watchers or dev servers side by side will run short' : ''}.`,
      mend: few ? 'Set fs.inotify.max_user_instances=512 and fs.inotify.max_user_watches=524288 with sysctl.' : null,
    },
  ];
}

async function readOutsiders(env: Readonly<Record<string, string>>): Promise<Outsiders> {
  // Where systemd is not in charge there is no such directory.
  if (!isDirectory('/run/systemd/system')) return { killsUserProcesses: null, lingers: null, service: null };
  const [kills, lingers] = await Promise.all([
    probe('loginctl', ['show-user', '--property=KillUserProcesses'], env),
    probe('loginctl', ['show-user', String(process.getuid?.() ?? 0), '--property=Linger'], env),
  ]);
  return {
    killsUserProcesses: kills.kind === 'said' ? kills.text.endsWith('=yes') : killsIn(logindSettings()),
    lingers: lingers.kind === 'said' ? lingers.text.endsWith('=yes') : null,
    service: serviceIn(textIn('/proc/self/cgroup') ?? ''),
  };
}

function logindSettings(): string[] {
  const folder = '/etc/systemd/logind.conf.d';
  const more = isDirectory(folder) ? readdirSync(folder).toSorted() : [];
  const files = ['/etc/systemd/logind.conf', ...more.map((name) => join(folder, name))];
  return files.map((file) => textIn(file) ?? '');
}

function reaches(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

function isDirectory(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function numberIn(path: string): number | null {
  const text = textIn(path)?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
