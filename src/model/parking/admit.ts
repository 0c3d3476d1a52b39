// With what an attempt may begin or go on: a budget set apart for it, a line that serves, its own model or one it falls
// back to.

import type { Attempt } from '../core/attempt.ts';
import type { Run, Task } from '../core/run.ts';
import type { TaskSpec } from '../core/spec.ts';
import type { Host } from '../host/host.ts';
import { fullOnHost } from '../ready/ready-queues.ts';
import { type Admittance, admits, isOver, lineName } from '../spending/account-line.ts';
import { onLine } from '../spending/account-of.ts';
import { reserve } from '../spending/allowance.ts';
import type { Admission } from './admission.ts';

/** What is looked at when somebody is to start: nothing in it is changed by that. */
export interface Scene {
  readonly host: Host;
  readonly runs: readonly Run[];
  readonly now: number;
  /** Harnesses whose share of the host's slots is taken. */
  readonly full: ReadonlySet<string>;
}

export function sceneOf(host: Host, runs: Iterable<Run>, now: number): Scene {
  const all = [...runs];
  return { host, runs: all, now, full: fullOnHost(host, all) };
}

/** `none`: not now. `refused`: its account is used up, and it is not to wait for that. */
export type Way =
  | { readonly kind: 'open'; readonly model: string | null; readonly probe: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly detail: string };

/** The line that an agent of this task would be on. */
export function wayFor(scene: Scene, spec: TaskSpec): Way {
  const { host, now } = scene;
  const lineTo = (model: string | null): Admittance => admittanceTo(scene, spec, model);
  const own = lineTo(null);
  if (own.admitted) return { kind: 'open', model: null, probe: own.probe };
  const line = host.lines[lineName(spec.harness, null)];
  const usedUp = line?.limit === 'quota' && !isOver(line, now);
  if (spec.onQuota === 'stop' && usedUp)
    return { kind: 'refused', detail: `the account of ${spec.harness} is exhausted` };
  if (spec.onQuota !== 'fallback') return { kind: 'none' };
  for (const model of spec.fallback) {
    const other = lineTo(model);
    if (other.admitted) return { kind: 'open', model, probe: other.probe };
  }
  return { kind: 'none' };
}

/** With what one goes on whose process waited for a person: its model and what was set apart for it are as they were. */
export function admissionOfAsker(scene: Scene, { spec }: Task, { parking: { model } }: Attempt): Admission | null {
  const line = admittanceTo(scene, spec, model);
  if (!line.admitted) return null;
  return line.probe ? { probe: true } : {};
}

function admittanceTo({ host, runs, now }: Scene, { harness }: TaskSpec, model: string | null): Admittance {
  const name = lineName(harness, model);
  const line = host.lines[name];
  return admits(line, (line?.cap ?? null) === null ? 0 : onLine(runs, name), now);
}

/** null: there is no budget for it at the moment. */
export function admissionOf(run: Run, task: Task, way: Extract<Way, { kind: 'open' }>, now: number): Admission | null {
  const grant = reserve(run, task, now);
  if (grant.kind !== 'granted') return null;
  return {
    ...(grant.reserved === null ? {} : { reserved: grant.reserved }),
    ...(way.model === null ? {} : { model: way.model }),
    ...(way.probe ? { probe: true } : {}),
  };
}
