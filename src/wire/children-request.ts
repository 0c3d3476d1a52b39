// Request schemas for agents spawned by agents: limits and roles.

import { z } from 'zod';
import {
  type ChildLimits,
  childLimitRanges,
  limitOption,
  rolePromptMax,
  rolesMax,
} from '../model/core/child-limits.ts';
import { context, name } from './task-request.ts';

const limit = (of: keyof ChildLimits) => {
  const { min, max } = childLimitRanges[of];
  const units = of === 'idleMs' || of === 'shutdownMs' ? 1_000 : 1;
  const error = `${limitOption(of)} is from ${min / units} to ${max / units}`;
  return z.int({ error }).min(min, { error }).max(max, { error }).exactOptional();
};

/** Omitted limits keep their defaults. */
export const children = z.strictObject({
  depthMax: limit('depthMax'),
  childrenMax: limit('childrenMax'),
  agentsMax: limit('agentsMax'),
  spawnsPerMinute: limit('spawnsPerMinute'),
  messagesPerMinute: limit('messagesPerMinute'),
  mailboxMax: limit('mailboxMax'),
  mailboxCharsMax: limit('mailboxCharsMax'),
  hopsMax: limit('hopsMax'),
  teamsMax: limit('teamsMax'),
  teamItemsMax: limit('teamItemsMax'),
  teamCharsMax: limit('teamCharsMax'),
  idleMs: limit('idleMs'),
  shutdownMs: limit('shutdownMs'),
});

const role = z.strictObject({
  prompt: z.string().min(1).max(rolePromptMax),
  settings: z.record(z.string().max(64), z.string().max(10_000)).default({}),
  context: context.exactOptional(),
});

export const roles = z
  .record(name, role)
  .refine((given) => JSON.stringify(given).length <= rolesMax, `roles have at most ${rolesMax} characters together`);
