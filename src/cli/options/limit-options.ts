// The options of `limits`: what each sets, and what it means.

import type { CreateRunInput } from '../../wire/request-schemas.ts';

type Limit = keyof NonNullable<CreateRunInput['children']>;

interface LimitOption {
  readonly limit: Limit;
  readonly option: string;
  readonly about: string;
  /** What one of its units is of the limit's: times are given in seconds. */
  readonly units?: number;
}

export const limitOptions: readonly LimitOption[] = [
  { limit: 'depthMax', option: 'depth', about: 'how deep agents may ask for agents; 1: not at all' },
  { limit: 'childrenMax', option: 'children', about: 'agents at work at once for one that asked for them' },
  { limit: 'agentsMax', option: 'agents-in-all', about: 'agents that agents may ask for in the whole run' },
  { limit: 'spawnsPerMinute', option: 'spawns-per-minute', about: 'agents that one may ask for in a minute' },
  { limit: 'messagesPerMinute', option: 'messages-per-minute', about: 'messages that one may write in a minute' },
  { limit: 'mailboxMax', option: 'mailbox', about: 'messages that may wait for one agent' },
  { limit: 'mailboxCharsMax', option: 'mailbox-characters', about: 'the same in characters' },
  { limit: 'hopsMax', option: 'hops', about: 'messages that may lead to one another without other work' },
  { limit: 'teamsMax', option: 'teams', about: 'teams that the run may come to have' },
  { limit: 'teamItemsMax', option: 'team-items', about: 'what may be on the list of a team' },
  { limit: 'teamCharsMax', option: 'team-characters', about: 'the same in characters' },
  {
    limit: 'idleMs',
    option: 'idle-seconds',
    about: 'how long the process of an agent that waits is kept',
    units: 1_000,
  },
  {
    limit: 'shutdownMs',
    option: 'shutdown-seconds',
    about: 'how long a member of a team may take to agree to its end',
    units: 1_000,
  },
];
