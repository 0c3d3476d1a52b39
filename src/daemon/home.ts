// Where Signalbox keeps its files, by the environment. Apart from the rest of the configuration, because starting the
// program needs this and nothing else.

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export function homeOf(env: Environment): string {
  return resolve(env['SIGNALBOX_HOME'] || join(stateHome(env), 'signalbox'));
}

/**
 * The cache; null: there is none. It holds compiled code, so no agent may write there: by default it is in the home,
 * which no sandbox shows.
 */
export function cacheOf(env: Environment): string | null {
  const given = env['SIGNALBOX_CACHE'] || join(homeOf(env), 'cache');
  // config.ts refuses an invalid value with a message.
  return isAbsolute(given) ? given : null;
}

function stateHome(env: Environment): string {
  return env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
}
