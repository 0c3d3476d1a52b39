// The schema of tools that a client sends with a run: what the user trusted or configured. See docs/trust.md.

import { z } from 'zod';
import type { JsonObject } from '../model/core/json.ts';

const json = z.record(z.string().max(200), z.json()) as unknown as z.ZodType<JsonObject>;

const file = z.strictObject({
  path: z
    .string()
    .max(1_000)
    .regex(/^[^/]+(?:\/[^/]+)+$/)
    .refine((path) => !path.split('/').some((part) => part === '..' || part === '.'), 'leads out of its folder'),
  data: z.string().max(12_000_000),
  executable: z.boolean(),
});

export const tools = z.strictObject({
  servers: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), json),
  settings: json.exactOptional(),
  skills: z.array(file).max(1_000),
  instructions: z.record(z.string().max(64), z.string().max(200_000)),
  programs: z.array(z.string().startsWith('/').max(4_000)).max(100),
});
