// The settings of this machine and user, read once. The only reader of the environment; everything else gets its
// settings passed in.

import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { agentKinds } from '../harness/registry.ts';
import { Fault } from '../std/fault.ts';
import { daemonEnvironment, noticedEnvironment } from './daemon-environment.ts';
import { cacheOf, homeOf } from './home.ts';
import { remindFrom } from './remind-setting.ts';
import { type Slots, slotsOf } from './slots.ts';

export interface Config extends Slots {
  /** Signalbox's own directory, readable by its owner only. */
  readonly home: string;
  /** The user's own configuration file; it need not exist. */
  readonly configurationFile: string;
  /** A cache, which holds compiled code: no agent may write there. null: nothing is cached. */
  readonly cache: string | null;
  readonly socketPath: string;
  /** Nothing is started with less free memory than this. */
  readonly freeMemoryMin: number;
  /** After how long people are reminded of an unanswered ask; null = never. */
  readonly remindMs: number | null;
  /** auto: a pid namespace where there is one. */
  readonly confine: 'auto' | 'none';
  /** Agents are frozen while less disk space than this is free. */
  readonly freeBytesMin: number;
  /** Where agents find programs. */
  readonly agentPath: string;
  /** The environment of which each harness passes on only what it allows. */
  readonly agentEnv: Readonly<Record<string, string | undefined>>;
  /** The programs of the agents that people install, by harness. */
  readonly programs: Readonly<Record<string, string>>;
  /** The home of the user. */
  readonly userHome: string;
  /** Paths that every agent may read, and write, besides those of the sandbox itself. */
  readonly sandboxReadable: readonly string[];
  readonly sandboxWritable: readonly string[];
  /**
   * For tests: the daemon kills itself after this many steps whose name begins with `of` (fault-points.ts); null =
   * never.
   */
  readonly dieAfter: { readonly steps: number; readonly of: string } | null;
  /** For tests: how far the daemon's clock is ahead of the machine's. */
  readonly clockAheadMs: number;
  /** The whole environment of a daemon that is started with this configuration. */
  readonly daemonEnv: Readonly<Record<string, string | undefined>>;
  /** Variables that agents and checks depend on: a daemon goes on with those it was started with. */
  readonly noticedEnv: Readonly<Record<string, string>>;
  /** For programs that run at the user's terminal: git, a pager, their own commands. */
  readonly userEnv: Readonly<Record<string, string | undefined>>;
  /** What the user's terminal can do, and what the user wants. */
  readonly look: { readonly colour: boolean; readonly live: boolean };
  /** Values of the configuration files that the environment sets instead, by key. */
  readonly fromEnvironment: Readonly<Record<string, { readonly value: string; readonly source: string }>>;
  /** How people are notified. */
  readonly notify: { readonly bell: boolean; readonly desktop: boolean; readonly command: string | null };
}

/** Socket paths longer than this are refused by some systems. */
const socketBytesMax = 100;
const freeBytesUsual = 500 * 2 ** 20;
const freeMemoryUsual = 256 * 2 ** 20;

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const home = homeOf(env);
  return Object.freeze({
    home,
    configurationFile: join(
      env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'),
      'signalbox/config.yaml',
    ),
    cache: checkedCache(env),
    socketPath: socketPathOf(home),
    ...slotsOf(env['SIGNALBOX_SLOTS']),
    remindMs: remindFrom(env['SIGNALBOX_REMIND'] ?? ''),
    freeMemoryMin: mebibytesOf('SIGNALBOX_MEMORY_MIN', env['SIGNALBOX_MEMORY_MIN'], freeMemoryUsual),
    confine: confineOf(env['SIGNALBOX_CONFINE']),
    freeBytesMin: mebibytesOf('SIGNALBOX_FREE_MIN', env['SIGNALBOX_FREE_MIN'], freeBytesUsual),
    agentPath: env['PATH'] || '/usr/local/bin:/usr/bin:/bin',
    agentEnv: Object.freeze({ ...env }),
    programs: programsOf(env),
    userHome: env['HOME'] || homedir(),
    sandboxReadable: pathsOf('SIGNALBOX_SANDBOX_READ', env),
    sandboxWritable: pathsOf('SIGNALBOX_SANDBOX_WRITE', env),
    dieAfter: dieAfterOf(env['SIGNALBOX_DIE_AFTER']),
    clockAheadMs: clockAheadOf(env['SIGNALBOX_CLOCK_AHEAD']),
    daemonEnv: Object.freeze({ ...daemonEnvironment(env), SIGNALBOX_HOME: home }),
    noticedEnv: noticedEnvironment(env),
    userEnv: Object.freeze({ ...env }),
    look: lookOf(env),
    notify: notifyOf(env),
    fromEnvironment: fromEnvironment(env),
  });
}

function fromEnvironment(env: NodeJS.ProcessEnv): Config['fromEnvironment'] {
  const keys = { slots: 'SIGNALBOX_SLOTS', notify: 'SIGNALBOX_NOTIFY', remind: 'SIGNALBOX_REMIND' };
  const set = Object.entries(keys).flatMap(([key, variable]) => {
    const value = env[variable] ?? '';
    return value === '' ? [] : [[key, { value, source: variable }]];
  });
  return Object.freeze(Object.fromEntries(set));
}

function programsOf(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const programs = agentKinds.flatMap(({ name, program }) => {
    return program === undefined ? [] : [[name, env[program.variable] || program.binary] as const];
  });
  return Object.freeze(Object.fromEntries(programs));
}

/** NO_COLOR as in no-color.org; a dumb terminal cannot move its cursor. */
function lookOf(env: NodeJS.ProcessEnv): Config['look'] {
  const live = (env['TERM'] ?? '') !== '' && env['TERM'] !== 'dumb';
  return Object.freeze({ live, colour: live && (env['NO_COLOR'] ?? '') === '' });
}

/** A command replaces the desktop's notification; `off` sends none. */
export function notifyOf(
  env: Readonly<Record<string, string | undefined>>,
  command = env['SIGNALBOX_NOTIFY'] ?? '',
): Config['notify'] {
  if (command === 'off') return Object.freeze({ bell: false, desktop: false, command: null });
  const shown = process.platform === 'darwin' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
  return Object.freeze({ bell: true, desktop: shown && command === '', command: command === '' ? null : command });
}

function checkedCache(env: NodeJS.ProcessEnv): string | null {
  const given = env['SIGNALBOX_CACHE'] ?? '';
  if (given === '' || given === 'off' || isAbsolute(given)) return cacheOf(env);
  throw new Fault('bad_request', `SIGNALBOX_CACHE is "${given}": it takes an absolute path, or off`);
}

function socketPathOf(home: string): string {
  const path = join(home, 'daemon.sock');
  if (Buffer.byteLength(path) <= socketBytesMax) return path;
  // Loaded only here: every call of the CLI would wait for it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return join(tmpdir(), `signalbox-${userInfo().uid}`, `${hash}.sock`);
}

function mebibytesOf(name: string, text: string | undefined, usual: number): number {
  if (text === undefined || text === '') return usual;
  const mebibytes = Number(text);
  if (Number.isSafeInteger(mebibytes) && mebibytes >= 0) return mebibytes * 2 ** 20;
  throw new Fault('bad_request', `${name} is "${text}": it takes a number of MiB`);
}

function dieAfterOf(text: string | undefined): Config['dieAfter'] {
  if (text === undefined || text === '') return null;
  const [count, of = ''] = text.split(' ');
  const steps = Number(count);
  if (Number.isSafeInteger(steps) && steps >= 1) return { steps, of };
  throw new Fault('bad_request', `SIGNALBOX_DIE_AFTER is "${text}": it takes a number of steps`);
}

function clockAheadOf(text: string | undefined): number {
  const ms = Number(text ?? 0);
  if (Number.isSafeInteger(ms)) return ms;
  throw new Fault('bad_request', `SIGNALBOX_CLOCK_AHEAD is "${text}": it takes a number of milliseconds`);
}

function pathsOf(name: string, env: NodeJS.ProcessEnv): readonly string[] {
  const paths = (env[name] ?? '').split(':').filter((path) => path !== '');
  const relative = paths.find((path) => !path.startsWith('/'));
  if (relative === undefined) return paths.map((path) => resolve(path));
  throw new Fault('bad_request', `${name} has "${relative}": it takes absolute paths with ":" between them`);
}

function confineOf(text: string | undefined): 'auto' | 'none' {
  if (text === undefined || text === '' || text === 'auto') return 'auto';
  if (text === 'none') return 'none';
  throw new Fault('bad_request', `SIGNALBOX_CONFINE is "${text}": it takes auto or none`);
}
