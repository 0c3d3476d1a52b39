// Where Signalbox keeps its files, by the environment. Apart from the rest of the configuration, because starting the
// program needs this and nothing else.

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export function homeOf(env: Environment): string {
  return resolve(env['SIGNALBOX_HOME'] || join(stateHome(env), 'signalbox'));
}

/**
 * Where it keeps what it could make again; null: nowhere. Compiled code is among it, so no agent may write there: by
 * default it lies in the home, of which no sandbox shows anything.
 */
export function cacheOf(env: Environment): string | null {
  const given = env['SIGNALBOX_CACHE'] || join(homeOf(env), 'cache');
  // What makes no sense is refused by the configuration, in words.
  return isAbsolute(given) ? given : null;
}

function stateHome(env: Environment): string {
  return env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
}
