// Tries which of the mechanisms that keep an agent's processes together work on this machine, as a launch would use
// them, and says what is degraded where one does not. Changes nothing.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from '../std/files.ts';
import { trustedPath } from './trusted-path.ts';

export type Mechanism = 'bwrap' | 'userNamespaces' | 'pidNamespace' | 'freshProc' | 'setsid' | 'watching' | 'proc';

export interface ProbeResult {
  readonly mechanism: Mechanism;
  readonly works: boolean;
  /** The system's error message; null where it works. */
  readonly why: string | null;
  /** What is degraded without it; null where it works. */
  readonly weaker: string | null;
}

/** Runs a program; null if it succeeds, else why not. */
export type TryProgram = (program: string, args: readonly string[]) => Promise<string | null>;

export async function probeConfinement(tryProgram: TryProgram = runOnce): Promise<readonly ProbeResult[]> {
  const bwrap = await tryProgram('bwrap', ['--version']);
  const inBwrap = (...options: string[]): Promise<string | null> =>
    bwrap === null ? tryProgram('bwrap', [...options, '--', 'sh', '-c', ':']) : Promise.resolve(bwrap);
  return [
    result('bwrap', bwrap),
    result('userNamespaces', await inBwrap('--dev-bind', '/', '/')),
    result('pidNamespace', await inBwrap('--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/')),
    result('freshProc', await inBwrap('--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc')),
    result('setsid', await tryProgram('setsid', ['sh', '-c', ':'])),
    result('watching', tryWatching()),
    result('proc', tryProc()),
  ];
}

const weaker: Readonly<Record<Mechanism, string>> = {
  bwrap:
    'Without bubblewrap a launch is a process group and a mark in the environment: a program that forks twice and clears its environment outlives every stop.',
  userNamespaces:
    'Without user namespaces bubblewrap cannot run, unless as root: launches fall back to process groups and marks, which a determined program escapes.',
  pidNamespace:
    'Without a pid namespace nothing guarantees that all descendants of an agent end with it: daemons that hide may stay.',
  freshProc:
    "Without a /proc of its own an agent could reach its transcript through the shim's descriptors, so namespaces are not used at all: launches fall back to process groups and marks.",
  setsid: 'Without setsid an agent that signals its own process group ends its shim too, and its exit status is lost.',
  watching:
    'Without file notifications quiet agents are polled four times a second: up to 0.25 s later and a little more work.',
  proc: 'Without /proc processes are found through ps: slower, and neither private memory nor start times finer than a second are known.',
};

function result(mechanism: Mechanism, failure: string | null): ProbeResult {
  const works = failure === null;
  return { mechanism, works, why: failure, weaker: works ? null : weaker[mechanism] };
}

/** As a launch would: with the environment of the shim. */
export async function runOnce(program: string, args: readonly string[]): Promise<string | null> {
  const settings = { env: { PATH: trustedPath, LC_ALL: 'C' }, timeout: 10_000, killSignal: 'SIGKILL' as const };
  return promisify(execFile)(program, args, settings).then(
    () => null,
    (error: unknown) => {
      const { code, stderr, message } = error as { code?: unknown; stderr?: string; message: string };
      return code === 'ENOENT' ? `${program} is not installed` : stderr?.trim() || message;
    },
  );
}

function tryWatching(): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-probe-'));
  try {
    watch(directory, { persistent: false }).close();
    return process.platform === 'linux' ? null : 'this system tells of changes too late';
  } catch (error) {
    return errnoOf(error) === 'EMFILE' ? 'all inotify instances of this user are taken' : String(error);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function tryProc(): string | null {
  if (!existsSync('/proc/self/stat')) return 'there is no /proc';
  try {
    readFileSync('/proc/1/stat');
    return null;
  } catch {
    return 'processes of others are hidden in /proc';
  }
}
