// What launches use up, and stopping them in their tracks. Measuring decides nothing: caps are for whoever asked.

import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createCensus } from './census.ts';
import { freezeAgent, thawAgent } from './freeze.ts';
import { type LaunchDir, launchDir } from './launch-dir.ts';
import type { Usage } from './usage.ts';

export interface Measure extends Usage {
  readonly outBytes: number;
  readonly errBytes: number;
}

interface Gauge {
  /** Of those that run. */
  measureAll(dirs: readonly LaunchDir[]): Promise<ReadonlyMap<string, Measure>>;
}

function createGauge(): Gauge {
  const census = createCensus();
  // One round at a time: a round changes what the census knows.
  let last: Promise<unknown> = Promise.resolve();
  const measureAll = async (dirs: readonly LaunchDir[]): Promise<ReadonlyMap<string, Measure>> => {
    const usages = await census.round(dirs);
    const measures = new Map<string, Measure>();
    for (const dir of dirs) {
      const usage = usages.get(dir.id);
      if (usage === undefined || usage.processes === 0) continue;
      measures.set(dir.id, { ...usage, outBytes: sizeOf(dir.out), errBytes: sizeOf(dir.err) });
    }
    return measures;
  };
  return {
    measureAll(dirs) {
      const next = last.then(() => measureAll(dirs));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

const gauges = new Map<string, { gauge: Gauge; dirs: Map<string, LaunchDir> }>();

/** Of the launches that have a process; the others are left out. */
export function measureAll(root: string, launchIds: readonly string[]): Promise<ReadonlyMap<string, Measure>> {
  const { gauge, dirs: before } = gauges.get(root) ?? { gauge: createGauge(), dirs: new Map<string, LaunchDir>() };
  // Naming a directory takes longer than looking into it.
  const dirs = new Map(launchIds.map((id) => [id, before.get(id) ?? launchDir(root, id)]));
  gauges.set(root, { gauge, dirs });
  return gauge.measureAll([...dirs.values()]);
}

/** Of one, by a look of its own: those who measure all each second keep what they know. */
export async function measureOne(root: string, launchId: string): Promise<Measure | null> {
  return (await createGauge().measureAll([launchDir(root, launchId)])).get(launchId) ?? null;
}

/** Halts every process of a launch, or lets them go on. Repeatable, and harmless to one that is gone. */
export async function setFrozen(root: string, launchId: string, frozen: boolean): Promise<void> {
  const dir = launchDir(root, launchId);
  await (frozen ? freezeAgent(dir) : thawAgent(dir));
}

/** What an unprivileged user can still write on the file system that holds `path`. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
