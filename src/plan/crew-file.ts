// What a plan says of the agents that its agents ask for, and the limit that each of these words is.

import { z } from 'zod';
import { type CrewLimits, crewRanges } from '../model/limits.ts';

/** By the word of a plan; times there are in seconds. */
export const crewWords = {
  depth: 'depthMax',
  children: 'childrenMax',
  'in-all': 'agentsMax',
  'spawns-per-minute': 'spawnsPerMinute',
  'mail-per-minute': 'mailPerMinute',
  mailbox: 'mailboxMax',
  'mailbox-characters': 'mailboxCharsMax',
  hops: 'hopsMax',
  teams: 'teamsMax',
  'team-items': 'teamItemsMax',
  'team-characters': 'teamCharsMax',
  'idle-seconds': 'idleMs',
  'shutdown-seconds': 'shutdownMs',
} as const satisfies Readonly<Record<string, keyof CrewLimits>>;

export type CrewWord = keyof typeof crewWords;

const limit = (word: CrewWord, description: string) => {
  const { min, max } = crewRanges[crewWords[word]];
  return z.int().min(min).max(max).optional().describe(description);
};

const seconds = (word: 'idle-seconds' | 'shutdown-seconds', description: string) =>
  z
    .number()
    .min(0)
    .max(crewRanges[crewWords[word]].max / 1_000)
    .optional()
    .describe(description);

export const crewFile = z.strictObject({
  depth: limit('depth', 'how many agents may stand above one another; those of the plan are the first'),
  children: limit('children', 'agents at work at once for one that asked for them'),
  'in-all': limit('in-all', 'agents that the run may come to have; more are refused'),
  'spawns-per-minute': limit('spawns-per-minute', 'agents that one may ask for in a minute'),
  'mail-per-minute': limit('mail-per-minute', 'letters that one may write in a minute'),
  mailbox: limit('mailbox', 'letters that may wait for one agent'),
  'mailbox-characters': limit('mailbox-characters', 'the same in characters'),
  hops: limit('hops', 'letters that may lead to one another without other work in between'),
  teams: limit('teams', 'teams that the run may come to have'),
  'team-items': limit('team-items', 'what may be on the list of a team'),
  'team-characters': limit('team-characters', 'the same in characters'),
  'idle-seconds': seconds('idle-seconds', 'how long the process of an agent that waits is kept'),
  'shutdown-seconds': seconds('shutdown-seconds', 'how long a member of a team may take to agree before it is stopped'),
});

export type CrewFile = z.output<typeof crewFile>;

export function crewFrom(given: CrewFile | undefined): Partial<CrewLimits> {
  const said = Object.entries(given ?? {}) as [CrewWord, number | undefined][];
  return Object.fromEntries(
    said.flatMap(([word, value]) => {
      if (value === undefined) return [];
      return [[crewWords[word], word.endsWith('-seconds') ? Math.round(value * 1_000) : value]];
    }),
  );
}
