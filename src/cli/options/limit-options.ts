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
  { limit: 'depthMax', option: 'depth', about: 'how deep agents may spawn agents (1: not at all)' },
  { limit: 'childrenMax', option: 'children', about: 'children of one agent that may work at the same time' },
  { limit: 'agentsMax', option: 'agents-in-all', about: 'agents that agents may spawn in the whole run' },
  { limit: 'spawnsPerMinute', option: 'spawns-per-minute', about: 'agents that one agent may spawn per minute' },
  { limit: 'messagesPerMinute', option: 'messages-per-minute', about: 'messages that one agent may send per minute' },
  { limit: 'mailboxMax', option: 'mailbox', about: 'unread messages per agent' },
  { limit: 'mailboxCharsMax', option: 'mailbox-characters', about: 'unread characters per agent' },
  { limit: 'hopsMax', option: 'hops', about: 'messages in a chain of replies without other work in between' },
  { limit: 'teamsMax', option: 'teams', about: 'teams in the run' },
  { limit: 'teamItemsMax', option: 'team-items', about: 'items on the task list of a team' },
  { limit: 'teamCharsMax', option: 'team-characters', about: 'characters on the task list of a team' },
  {
    limit: 'idleMs',
    option: 'idle-seconds',
    about: 'how long a waiting agent keeps its process',
    units: 1_000,
  },
  {
    limit: 'shutdownMs',
    option: 'shutdown-seconds',
    about: 'how long a team member may take to agree to shut down',
    units: 1_000,
  },
];
