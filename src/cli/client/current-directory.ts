// The directory that the user is in: what verbs mean when they are told no other.

import { Fault } from '../../std/fault.ts';

export function here(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Fault('not_a_repository', 'the directory you are in is gone: change to a git repository', { cause });
  }
}
