// The text of a commit object as git stores it, with a given author and a time from the journal.

import { assert } from '../../std/assert.ts';
import type { Identity } from '../commands/create-commit.ts';

/** `Name <address> seconds zone`. */
export type Person = string & { readonly person: true };

/** In the zone of this machine, which is the user's. */
export function personAt({ name, email }: Identity, seconds: number): Person {
  assert(Number.isSafeInteger(seconds) && seconds >= 0, `time of a commit: ${seconds}`);
  const minutes = -new Date(seconds * 1_000).getTimezoneOffset();
  const two = (value: number): string => String(value).padStart(2, '0');
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`;
  return `${name} <${email}> ${seconds} ${zone}` as Person;
}

export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export function commitText({ tree, parents, author, committer, message }: CommitParts): string {
  const headers = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author}`,
    `committer ${committer}`,
  ];
  return `${headers.join('\n')}\n\n${message.replaceAll('\0', ' ')}`;
}
