// What launches use of the machine. Measuring decides nothing: the caller compares it with the caps.

import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { type LaunchDir, launchDir } from '../launch/launch-dir.ts';
import { createCensus } from './census.ts';
import { lastActive } from './last-activity.ts';
import type { Usage } from './launch-usage.ts';

export interface Measure extends Usage {
  readonly outBytes: number;
  readonly errBytes: number;
}

interface Gauge {
  /** Of those that run. */
  measureAll(dirs: readonly LaunchDir[]): Promise<ReadonlyMap<string, Measure>>;
}

/** A launch that did nothing is measured only once in this many rounds. */
const stillRounds = 4;

interface Known {
  readonly usage: Usage;
  readonly measure: Measure;
  readonly at: number;
  /** It was the same in the look before this one. */
  readonly still: boolean;
}

function createGauge(): Gauge {
  const census = createCensus();
  const known = new Map<string, Known>();
  let rounds = 0;
  // One round at a time: a round changes what the census knows.
  let last: Promise<unknown> = Promise.resolve();

  const isDue = ({ id, path }: LaunchDir): boolean => {
    const seen = known.get(id);
    return seen === undefined || !seen.still || lastActive(path) >= seen.at || rounds % stillRounds === 0;
  };
  const learn = (dir: LaunchDir, usage: Usage, at: number): void => {
    const seen = known.get(dir.id);
    if (seen?.usage === usage) return;
    const measure = { ...usage, outBytes: sizeOf(dir.out), errBytes: sizeOf(dir.err) };
    known.set(dir.id, { usage, measure, at, still: seen !== undefined && isSame(seen.measure, measure) });
  };
  const measureAll = async (dirs: readonly LaunchDir[]): Promise<ReadonlyMap<string, Measure>> => {
    rounds += 1;
    const due = new Set(dirs.filter(isDue).map(({ id }) => id));
    if (due.size > 0) {
      // Before the look: activity during it counts for the next one.
      const at = performance.now();
      const usages = await census.round(dirs, due);
      for (const id of known.keys()) if (!usages.has(id)) known.delete(id);
      for (const dir of dirs) {
        const usage = usages.get(dir.id);
        if (usage !== undefined) learn(dir, usage, at);
      }
    }
    return new Map(
      dirs.flatMap(({ id }) => {
        const measure = known.get(id)?.measure;
        return measure === undefined || measure.processes === 0 ? [] : [[id, measure] as const];
      }),
    );
  };
  return {
    measureAll(dirs) {
      const next = last.then(() => measureAll(dirs));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

function isSame(one: Measure, other: Measure): boolean {
  return (
    one.outBytes === other.outBytes &&
    one.errBytes === other.errBytes &&
    one.cpuMs === other.cpuMs &&
    one.memoryBytes === other.memoryBytes &&
    one.processes === other.processes
  );
}

const gauges = new Map<string, { gauge: Gauge; dirs: Map<string, LaunchDir> }>();

/** Of the launches that have a process; the others are left out. */
export function measureAll(root: string, launchIds: readonly string[]): Promise<ReadonlyMap<string, Measure>> {
  const { gauge, dirs: before } = gauges.get(root) ?? { gauge: createGauge(), dirs: new Map<string, LaunchDir>() };
  // Making the paths of a directory takes longer than reading it.
  const dirs = new Map(launchIds.map((id) => [id, before.get(id) ?? launchDir(root, id)]));
  gauges.set(root, { gauge, dirs });
  return gauge.measureAll([...dirs.values()]);
}

/** Measures one launch by itself, without disturbing the rounds over all launches. */
export async function measureOne(root: string, launchId: string): Promise<Measure | null> {
  return (await createGauge().measureAll([launchDir(root, launchId)])).get(launchId) ?? null;
}

/** What an unprivileged user can still write on the file system that holds `path`. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
