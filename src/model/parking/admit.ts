// Whether an attempt may start or continue, and with what: a reserved budget, an account line that serves, its own model or a
// fallback.

import type { Attempt } from '../core/attempt.ts';
import type { TaskId } from '../core/ids.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import type { Host } from '../host/host.ts';
import { fullOnHost } from '../ready/ready-queues.ts';
import { type Admittance, admits, isOthersClaim, isOver, lineName } from '../spending/account-line.ts';
import { onLine, rootOf } from '../spending/account-of.ts';
import { reserve } from '../spending/allowance.ts';
import type { Admission } from './admission.ts';

/** What a start is decided from; deciding changes nothing in it. */
export interface Scene {
  readonly host: Host;
  readonly runs: readonly Run[];
  readonly now: number;
  /** Harnesses that use all their slots of the host. */
  readonly full: ReadonlySet<string>;
}

export function sceneOf(host: Host, runs: Iterable<Run>, now: number): Scene {
  const all = [...runs];
  return { host, runs: all, now, full: fullOnHost(host, all) };
}

/** `none`: not now. `refused`: its account is exhausted, and the task does not wait for it. */
export type Way =
  | { readonly kind: 'open'; readonly model: string | null; readonly probe: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly detail: string };

/** The account line that an agent of this task would use. `root`: the task of the plan above it; null = it has not begun. */
export function wayFor(scene: Scene, spec: TaskSpec, root: TaskId | null): Way {
  const { host, now } = scene;
  const lineTo = (model: string | null): Admittance => admittanceTo(scene, spec, model, root);
  const own = lineTo(null);
  if (own.admitted) return { kind: 'open', model: null, probe: own.probe };
  const line = host.lines[lineName(spec.harness, null)];
  const usedUp = line?.limit === 'quota' && !isOver(line, now) && !isOthersClaim(line, root);
  if (spec.onQuota === 'stop' && usedUp)
    return { kind: 'refused', detail: `the account of ${spec.harness} is exhausted` };
  if (spec.onQuota !== 'fallback') return { kind: 'none' };
  for (const model of spec.fallback) {
    const other = lineTo(model);
    if (other.admitted) return { kind: 'open', model, probe: other.probe };
  }
  return { kind: 'none' };
}

/** The admission of an attempt whose process waited for a person: it keeps its model and its reserved budget. */
export function admissionOfAsker(scene: Scene, run: Run, task: Task, { parking }: Attempt): Admission | null {
  const line = admittanceTo(scene, task.spec, parking.model, rootOf(run, task));
  if (!line.admitted) return null;
  return line.probe ? { probe: true } : {};
}

function admittanceTo(
  { host, runs, now }: Scene,
  { harness }: TaskSpec,
  model: string | null,
  root: TaskId | null,
): Admittance {
  const name = lineName(harness, model);
  const line = host.lines[name];
  return admits(line, (line?.cap ?? null) === null ? 0 : onLine(runs, name), now, root);
}

/** null: there is no budget for it now. */
export function admissionOf(run: Run, task: Task, way: Extract<Way, { kind: 'open' }>, now: number): Admission | null {
  const grant = reserve(run, task, now);
  if (grant.kind !== 'granted') return null;
  return {
    ...(grant.reserved === null ? {} : { reserved: grant.reserved }),
    ...(way.model === null ? {} : { model: way.model }),
    ...(way.probe ? { probe: true } : {}),
  };
}
