// A task of which nothing is said but what it is for: what all else is then.

import { noRules } from '../src/model/asks/permission.ts';
import type { TaskSpec } from '../src/model/core/spec.ts';
import { usualCaps } from '../src/model/spending/caps.ts';

export const plainTask: Omit<TaskSpec, 'id' | 'name' | 'prompt'> = {
  kind: 'work',
  parent: null,
  phase: null,
  needs: [],
  tolerates: [],
  when: null,
  onFailure: 'skip',
  onCrash: 'goOn',
  gate: null,
  role: null,
  spends: true,
  budget: null,
  treeBudget: null,
  onQuota: 'wait',
  fallback: [],
  items: null,
  env: {},
  setup: null,
  output: null,
  accounts: false,
  keeps: true,
  harness: 'scripted',
  settings: {},
  writes: null,
  reads: [],
  checks: [],
  retry: { attemptsMax: 1, conflictsMax: 1, delayMs: 1_000, delayMaxMs: 60_000 },
  timeoutMs: null,
  caps: usualCaps,
  permissions: noRules,
  sandbox: 'none',
  priority: 0,
};
