// Starts a daemon. If several are started at once, the lock of the home directory lets one live, and the others connect to it.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from '../../std/assert.ts';
import { Fault, type FaultCode, faultCodes, isFault } from '../../std/fault.ts';
import { diskFault } from '../../std/files.ts';
import type { Place } from './context.ts';

export type StartOutcome =
  | { readonly kind: 'ready' }
  /** Another daemon holds the home and will answer soon. */
  | { readonly kind: 'another' }
  | { readonly kind: 'failed'; readonly fault: Fault };

const logBytesMax = 10 * 1024 * 1024;
const startMaxMs = 30_000;
const reportBytesMax = 64 * 1024;

/**
 * By default Node collects 48 MB of short-lived garbage, a third of what a daemon may use, before a collection. A fixed size
 * also avoids several collections during the start.
 */
export const daemonFlags: readonly string[] = ['--max-semi-space-size=4', '--min-semi-space-size=4'];

export async function startDaemon(place: Place, mainFile: string): Promise<StartOutcome> {
  const logFd = openLog(place.home);
  // Its stdout carries one report and is then closed, so that no pipe connects the two.
  const child = spawn(process.execPath, [...daemonFlags, mainFile, 'daemon', '--report'], {
    cwd: '/',
    detached: true,
    env: place.daemonEnv,
    stdio: ['ignore', 'pipe', logFd],
  });
  closeSync(logFd);
  const stdout = must(child.stdout, 'it was asked for');
  let text = '';
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk: string) => {
    if (text.length < reportBytesMax) text += chunk;
  });
  const report = await new Promise<string>((resolve) => {
    const late = setTimeout(() => resolve(text), startMaxMs);
    const done = (): void => {
      clearTimeout(late);
      resolve(text);
    };
    child.once('error', done);
    stdout.once('close', done);
  });
  stdout.destroy();
  child.unref();
  return readReport(report, place);
}

export function writeReport(fault: Fault | null): string {
  return JSON.stringify(fault === null ? { ready: true } : { code: fault.code, message: fault.message });
}

function readReport(text: string, { home }: Place): StartOutcome {
  try {
    const report = JSON.parse(text) as { ready?: true; code?: string; message?: string };
    if (report.ready === true) return { kind: 'ready' };
    if (report.code === 'daemon_running') return { kind: 'another' };
    const code = faultCodes.find((each) => each === report.code) ?? ('daemon_unreachable' satisfies FaultCode);
    return { kind: 'failed', fault: new Fault(code, `the daemon could not start: ${report.message ?? 'unknown'}`) };
  } catch {
    const fault = new Fault('daemon_unreachable', `the daemon exited while starting: see ${join(home, 'daemon.log')}`);
    return { kind: 'failed', fault };
  }
}

/** Step by step: Node's recursive mkdir loops forever where no directory can be made, for example below /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another process may have just made it.
    if (existsSync(path)) return;
    const known = diskFault(cause, path);
    throw isFault(known)
      ? known
      : new Fault('read_only', `the home directory ${path} cannot be created: set SIGNALBOX_HOME to another place`, {
          cause,
        });
  }
}

function openLog(home: string): number {
  const path = join(home, 'daemon.log');
  try {
    makeDirectory(home);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(path, `${path}.1`);
    return openSync(path, 'a', 0o600);
  } catch (error) {
    throw diskFault(error, path);
  }
}
