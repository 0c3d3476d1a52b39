// The options of `limits`: which limit each one sets, with its help text.

import type { CreateRunInput } from '../../wire/request-schemas.ts';

type Limit = keyof NonNullable<CreateRunInput['children']>;

interface LimitOption {
  readonly limit: Limit;
  readonly option: string;
  readonly about: string;
  /** Factor from the option's unit to the limit's: times are given in seconds. */
  readonly units?: number;
}

export const limitOptions: readonly LimitOption[] = [
  { limit: 'depthMax', option: 'depth', about: 'nesting of spawned agents; 1: no spawning' },
  { limit: 'childrenMax', option: 'children', about: 'children of one agent working at once' },
  { limit: 'agentsMax', option: 'agents-in-all', about: 'agents spawned in the whole run' },
  { limit: 'spawnsPerMinute', option: 'spawns-per-minute', about: 'agents that one agent spawns per minute' },
  { limit: 'messagesPerMinute', option: 'messages-per-minute', about: 'messages that one agent sends per minute' },
  { limit: 'mailboxMax', option: 'mailbox', about: 'unread messages per agent' },
  { limit: 'mailboxCharsMax', option: 'mailbox-characters', about: 'unread characters per agent' },
  { limit: 'hopsMax', option: 'hops', about: 'replies in a row without other work' },
  { limit: 'teamsMax', option: 'teams', about: 'teams in the run' },
  { limit: 'teamItemsMax', option: 'team-items', about: 'items on the task list of a team' },
  { limit: 'teamCharsMax', option: 'team-characters', about: 'characters on the task list of a team' },
  {
    limit: 'idleMs',
    option: 'idle-seconds',
    about: 'how long a waiting process is kept',
    units: 1_000,
  },
  {
    limit: 'shutdownMs',
    option: 'shutdown-seconds',
    about: 'time for a team member to agree to exit',
    units: 1_000,
  },
];
