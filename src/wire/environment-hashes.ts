// How a client recognises whether a variable has changed since the daemon started, without either sending its value.

import { createHash, randomUUID } from 'node:crypto';

export type Environment = Readonly<Record<string, string>>;

/** What a daemon sends, with a salt of its own. */
export function hashedEnvironment(variables: Environment): { salt: string; hashes: Record<string, string> } {
  const salt = randomUUID();
  return { salt, hashes: environmentHashes(salt, variables) };
}

/** The hash of each variable. */
function environmentHashes(salt: string, variables: Environment): Record<string, string> {
  const hash = (name: string, value: string): string =>
    createHash('sha256')
      .update(JSON.stringify([salt, name, value]))
      .digest('hex')
      .slice(0, 32);
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, hash(name, value)]));
}

/** Variables that are set here to a value that the daemon does not have. */
export function changedVariables(
  here: Environment,
  { salt, hashes }: { readonly salt: string; readonly hashes: Environment },
): string[] {
  const own = environmentHashes(salt, here);
  return Object.keys(own).filter((name) => own[name] !== hashes[name]);
}
