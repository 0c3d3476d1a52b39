// The settings of this machine and user, read once. The only reader of the environment; everything else is passed in.

import { createHash } from 'node:crypto';
import { availableParallelism, homedir, tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { Fault } from './std/fault.ts';

export interface Config {
  /** All that Signalbox keeps, for its owner only. */
  readonly home: string;
  readonly socketPath: string;
  /** Agents at work at the same time. */
  readonly slots: number;
  /** auto: a pid namespace where there is one. */
  readonly confine: 'auto' | 'none';
  /** For a daemon that is started with this very configuration. */
  readonly daemonEnv: Readonly<Record<string, string | undefined>>;
}

/** Socket paths longer than this are refused by some systems. */
const socketBytesMax = 100;
const slotsMax = 10_000;

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const home = resolve(env['SIGNALBOX_HOME'] || join(stateHome(env), 'signalbox'));
  return Object.freeze({
    home,
    socketPath: socketPathOf(home),
    slots: slotsOf(env['SIGNALBOX_SLOTS']),
    confine: confineOf(env['SIGNALBOX_CONFINE']),
    daemonEnv: Object.freeze({ ...env, SIGNALBOX_HOME: home }),
  });
}

function stateHome(env: NodeJS.ProcessEnv): string {
  return env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
}

function socketPathOf(home: string): string {
  const path = join(home, 'daemon.sock');
  if (Buffer.byteLength(path) <= socketBytesMax) return path;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return join(tmpdir(), `signalbox-${userInfo().uid}`, `${hash}.sock`);
}

function slotsOf(text: string | undefined): number {
  if (text === undefined || text === '') return Math.max(2, availableParallelism());
  const slots = Number(text);
  if (Number.isSafeInteger(slots) && slots >= 1 && slots <= slotsMax) return slots;
  throw new Fault('bad_request', `SIGNALBOX_SLOTS is "${text}": it takes a number from 1 to ${slotsMax}`);
}

function confineOf(text: string | undefined): 'auto' | 'none' {
  if (text === undefined || text === '' || text === 'auto') return 'auto';
  if (text === 'none') return 'none';
  throw new Fault('bad_request', `SIGNALBOX_CONFINE is "${text}": it takes auto or none`);
}
