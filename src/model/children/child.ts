// Makes the task of a child from its parent's: what the call leaves out is inherited, and no authority is wider than the
// parent's.

import { globWithin } from '../../std/glob-within.ts';
import { parseGlob } from '../../std/path-glob.ts';
import { kindSchemas } from '../attempt/artifact-kinds.ts';
import type { TaskId } from '../core/ids.ts';
import { narrowed } from '../core/narrowed.ts';
import type { TaskSpec } from '../core/spec.ts';
import type { ContextSpec } from '../session/context-spec.ts';
import type { SpawnRequest } from '../tool-calls/call.ts';

export function childSpec(parent: TaskSpec, request: SpawnRequest, { id, name, inputs, context }: Child): TaskSpec {
  const { work, role, before, outputKind, budget, timeoutMs, team } = request;
  const writes = request.writes ?? parent.writes;
  const output = outputKind === null ? request.output : kindSchemas[outputKind];
  const { outputKind: _, items: _i, team: _t, attached: _a, adopts: _s, ...same } = parent;
  return {
    ...same,
    id,
    name,
    kind: 'work',
    parent: parent.id,
    needs: inputs,
    tolerates: [],
    inputs,
    when: null,
    onFailure: 'skip',
    onConflict: 'fail',
    items: null,
    gate: null,
    prompt: before + request.prompt,
    role: role ?? (work === null ? parent.role : null),
    output,
    ...(outputKind === null ? {} : { outputKind }),
    accounts: false,
    keeps: parent.keeps && (writes === null || writes.length > 0),
    harness: work?.harness ?? parent.harness,
    settings: narrowed(parent, work?.settings ?? withoutScript(parent)),
    spends: work?.spends ?? parent.spends,
    writes,
    reads: [],
    checks: [],
    retry: { ...parent.retry, attemptsMax: 1 },
    timeoutMs: timeoutMs ?? parent.timeoutMs,
    budget,
    treeBudget: null,
    ...(team === null ? {} : { team }),
    ...(context === undefined ? {} : { context }),
  };
}

interface Child {
  readonly id: TaskId;
  readonly name: string;
  readonly inputs: readonly TaskId[];
  /** From its role; left out = its parent's. */
  readonly context: ContextSpec | undefined;
}

/** A script belongs to one agent and is not inherited. */
function withoutScript({ settings }: TaskSpec): TaskSpec['settings'] {
  const { script: _, ...rest } = settings;
  return rest;
}

/** The first path outside the parent's write-set; null = none. */
export function pathOutside(parent: TaskSpec, writes: readonly string[] | null): string | null {
  if (parent.writes === null || writes === null) return null;
  const own = parent.writes.map(parseGlob);
  return writes.find((path) => !globWithin(parseGlob(path), own)) ?? null;
}
