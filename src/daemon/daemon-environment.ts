// Which variables a daemon is started with, and which of them matter to agents and checks.

import { agentKinds } from '../harness/registry.ts';
import { toolchainVariables } from '../sandbox/toolchains.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** An agent without a sandbox can read it, so it holds nothing that neither the daemon nor an agent needs. */
export function daemonEnvironment(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => daemonNames.has(name) || daemonPrefixes.test(name)));
}

/** What Node, the home, notifications on a desktop and the harnesses need. */
const daemonNames = new Set([
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'NODE_OPTIONS',
  'LD_LIBRARY_PATH',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'DBUS_SESSION_BUS_ADDRESS',
  ...agentKinds.flatMap(({ passedOn = [] }) => passedOn),
  ...toolchainVariables,
  ...agentKinds.flatMap(({ credential }) => credential?.kinds.map(({ variable }) => variable) ?? []),
]);
const daemonPrefixes = /^(SIGNALBOX|XDG|LC)_/;

/** Set by the terminal or a test, and no concern of agents. */
const unnoticed =
  /^(HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|NODE_OPTIONS|.*DISPLAY|DBUS_.*|XDG_.*|LC_.*|SIGNALBOX_(HOME|CACHE|DIE_AFTER|CLOCK_AHEAD))$/;

export function noticedEnvironment(env: Environment): Readonly<Record<string, string>> {
  const all = Object.entries({ ...daemonEnvironment(env), PATH: env['PATH'] });
  const noticed = all.flatMap(([name, value]) => (value && !unnoticed.test(name) ? [[name, value]] : []));
  return Object.freeze(Object.fromEntries(noticed));
}
