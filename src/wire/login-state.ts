// What `login`, `logout` and `doctor` are lent to look at credentials, and the words for what they find. No secret is
// ever among what is lent.

import type { LoginView } from './status-views.ts';

export interface Logins {
  /** Those that need a credential. */
  readonly harnesses: readonly string[];
  /** How a person comes by one, a line each. */
  how(harness: string): readonly string[];
  /** As an agent of a daemon started from here would have it. */
  view(harness: string): LoginView;
  path(harness: string): string;
  store(harness: string, secret: string): Promise<LoginView>;
  /** False where there was none. */
  remove(harness: string): boolean;
  /** Asks the agent's own program, and no model. */
  check(harness: string): Promise<LoginCheck>;
}

export type LoginCheck =
  | { readonly kind: 'none' }
  /** The agent would use it, as this method; whether it is let in is not known. */
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unasked'; readonly why: string };

/** One line: kind, source and end of the credential. `where`: whose environment it is. */
export function credentialWords(view: LoginView, path: string, where: string): string {
  const { credential, flaw, title } = view;
  if (flaw !== null) return flaw;
  if (credential === null) return `${title} has no credential`;
  const { words, variable, source, ending } = credential;
  const end = ending === null ? '' : ` ending in …${ending}`;
  const from = source === 'file' ? `stored in ${path}` : `from ${variable} in the environment of ${where}`;
  return `${title} has ${words}${end}, ${from}`;
}
