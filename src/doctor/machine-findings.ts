// Findings about the machine: programs, how agents' processes are kept together, what may kill them from outside. Decisions are
// pure; facts are read next to them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Probe, probe } from '../process/run-probe.ts';
import type { Diagnosis, Finding, Mechanism } from './finding.ts';

const nodeFloor = [20, 19] as const;
/** The first version that merges without a work tree. */
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
  const common = { name: 'node', required: true };
  if (reaches(version, nodeFloor)) return { ...common, state: 'ok', says: `Node ${version}.`, fix: null };
  const says = `Node ${version} is too old: Signalbox needs ${nodeFloor.join('.')}.`;
  return { ...common, state: 'missing', says, fix: 'Install a newer Node, for example from nodejs.org.' };
}

export function gitFinding(found: Probe, trustedPath: string): Finding {
  const common = { name: 'git', required: true };
  if (found.kind === 'absent') {
    const says = `git is not in ${trustedPath}; workspaces need it.`;
    return { ...common, state: 'missing', says, fix: `Install git ${gitFloor.join('.')} or newer.` };
  }
  const version = found.kind === 'said' ? /\d+\.\d+(\.\d+)?/.exec(found.text)?.[0] : undefined;
  if (version === undefined) {
    const why = found.kind === 'failed' ? found.why : 'it does not print its version';
    return {
      ...common,
      state: 'missing',
      says: `git does not work: ${why}.`,
      fix: 'Run `git --version` to see the error.',
    };
  }
  if (reaches(version, gitFloor)) return { ...common, state: 'ok', says: `git ${version}.`, fix: null };
  const says = `git ${version} is too old: merging without a work tree came with ${gitFloor.join('.')}.`;
  return { ...common, state: 'missing', says, fix: `Install git ${gitFloor.join('.')} or newer.` };
}

export function mechanismFinding({ name, works, says, without, fix }: Mechanism): Finding {
  if (works) return { name, required: false, state: 'ok', says, fix: null };
  return { name, required: false, state: 'degraded', says: `${says} ${without}`, fix };
}

/** What may end a daemon and its agents from outside; null = unknown. */
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
      required: false,
      state: kills ? 'degraded' : 'ok',
      says: kills
        ? 'systemd ends daemon and agents when you log out (KillUserProcesses); the next start resumes the work.'
        : 'Daemon and agents survive a logout.',
      fix: kills
        ? 'Run `loginctl enable-linger`, or start the daemon with `systemd-run --user --scope signalbox up`.'
        : null,
    });
  }
  if (service !== null) {
    findings.push({
      name: 'service',
      required: false,
      state: 'degraded',
      says: `This shell runs in ${service}: when that service stops, systemd also ends daemon and agents started here.`,
      fix: `Set KillMode=process in ${service}, or start the daemon with \`systemd-run --scope signalbox up\`.`,
    });
  }
  return findings;
}

/** The service whose processes systemd ends together; user@.service does not count. */
export function serviceIn(cgroups: string): string | null {
  for (const line of cgroups.split('\n')) {
    const [, path] = /^(?:0::|\d+:name=systemd:)(.*)$/.exec(line) ?? [];
    const last = path?.split('/').at(-1) ?? '';
    if (last.endsWith('.service') && !last.startsWith('user@')) return last;
  }
  return null;
}

/** The last setting counts; the default is no. */
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
      required: false,
      state: few ? 'degraded' : 'ok',
      says: `${instances} inotify instances, ${watches} watches${few ? ': too few for many parallel test watchers or dev servers' : ''}.`,
      fix: few ? 'Set fs.inotify.max_user_instances=512 and fs.inotify.max_user_watches=524288 with sysctl.' : null,
    },
  ];
}

async function readOutsiders(env: Readonly<Record<string, string>>): Promise<Outsiders> {
  // This directory exists only under systemd.
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
