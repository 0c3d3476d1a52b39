// What a plan says of the agents that its agents ask for.

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
  depth: limit('depthMax', 'how many agents may stand above one another; those of the plan are the first'),
  children: limit('childrenMax', 'agents at work at once for one that asked for them'),
  'in-all': limit('agentsMax', 'agents that agents may ask for in the whole run; more are refused'),
  'spawns-per-minute': limit('spawnsPerMinute', 'agents that one may ask for in a minute'),
  'messages-per-minute': limit('messagesPerMinute', 'messages that one may write in a minute'),
  mailbox: limit('mailboxMax', 'messages that may wait for one agent'),
  'mailbox-characters': limit('mailboxCharsMax', 'the same in characters'),
  hops: limit('hopsMax', 'messages that may lead to one another without other work in between'),
  teams: limit('teamsMax', 'teams that the run may come to have'),
  'team-items': limit('teamItemsMax', 'what may be on the list of a team'),
  'team-characters': limit('teamCharsMax', 'the same in characters'),
  'idle-seconds': time('idleMs', 'how long the process of an agent that waits is kept'),
  'shutdown-seconds': time('shutdownMs', 'how long a member of a team may take to agree to its end'),
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
