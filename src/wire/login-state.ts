// The credential functions that `login`, `logout` and `doctor` get, and texts about credentials. Never contains a secret.

import type { LoginView } from './status-views.ts';

export interface Logins {
  /** The harnesses that need a credential. */
  readonly harnesses: readonly string[];
  /** How to get one, one line each. */
  how(harness: string): readonly string[];
  /** The credential an agent would get from a daemon started here. */
  view(harness: string): LoginView;
  path(harness: string): string;
  store(harness: string, secret: string): Promise<LoginView>;
  /** false: none was stored. */
  remove(harness: string): boolean;
  /** Asks the agent's own program; sends no model request. */
  check(harness: string): Promise<LoginCheck>;
}

export type LoginCheck =
  | { readonly kind: 'none' }
  /** The agent accepts it as this method; whether the service does is unknown. */
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unasked'; readonly why: string };

/** One line: kind, source and last characters. `where`: whose environment. */
export function credentialWords(view: LoginView, path: string, where: string): string {
  const { credential, flaw, title } = view;
  if (flaw !== null) return flaw;
  if (credential === null) return `${title} has no credential`;
  const { words, variable, source, ending } = credential;
  const end = ending === null ? '' : ` ending in …${ending}`;
  const from = source === 'file' ? `stored in ${path}` : `from ${variable} in the environment of ${where}`;
  return `${title} has ${words}${end}, ${from}`;
}
