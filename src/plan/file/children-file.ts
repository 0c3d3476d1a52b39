// The limits of a plan on agents spawned by agents.

import { z } from 'zod';
import { type ChildLimits, childLimitRanges, childrenWords } from '../../model/core/child-limits.ts';

const limit = (of: keyof ChildLimits, description: string) => {
  const { min, max } = childLimitRanges[of];
  return z.int().min(min).max(max).optional().describe(description);
};

const time = (of: 'idleMs' | 'shutdownMs', description: string) => {
  const { min, max } = childLimitRanges[of];
  return z
    .number()
    .min(min / 1_000)
    .max(max / 1_000)
    .optional()
    .describe(description);
};

export const childrenFile = z.strictObject({
  depth: limit('depthMax', 'levels of agents; those of the plan are the first'),
  children: limit('childrenMax', 'running children of one agent'),
  'in-all': limit('agentsMax', 'agents spawned in the whole run; more are refused'),
  'spawns-per-minute': limit('spawnsPerMinute', 'agents that one agent may spawn in a minute'),
  'messages-per-minute': limit('messagesPerMinute', 'messages that one agent may send in a minute'),
  mailbox: limit('mailboxMax', 'messages that may wait for one agent'),
  'mailbox-characters': limit('mailboxCharsMax', 'the same in characters'),
  hops: limit('hopsMax', 'messages that may follow from one another without other work in between'),
  teams: limit('teamsMax', 'teams that the run may ever have'),
  'team-items': limit('teamItemsMax', 'items on the list of a team'),
  'team-characters': limit('teamCharsMax', 'the same in characters'),
  'idle-seconds': time('idleMs', 'how long a waiting agent keeps its process'),
  'shutdown-seconds': time('shutdownMs', 'how long a member of a team may take to agree to a forced shutdown'),
});

export type ChildrenFile = z.output<typeof childrenFile>;

export function childrenFrom(given: ChildrenFile | undefined): Partial<ChildLimits> {
  const said = (Object.keys(childrenWords) as (keyof ChildLimits)[]).flatMap((limit) => {
    const value = given?.[childrenWords[limit]];
    return value === undefined
      ? []
      : [[limit, limit === 'idleMs' || limit === 'shutdownMs' ? Math.round(value * 1_000) : value]];
  });
  return Object.fromEntries(said);
}
