// The current directory of the user.

import { Fault } from '../../std/fault.ts';

export function here(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Fault('not_a_repository', 'the current directory does not exist any more: change to a git repository', {
      cause,
    });
  }
}
