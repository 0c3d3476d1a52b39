// A world of its own for each test of the process layer: a root, a working directory, unique launch ids, and the
// means to see which processes carry a launch's mark.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LaunchSpec, LineBatch } from '../../../src/ports/launch-port.ts';
import { type Confine, namespaceConfine, plainConfine, probeNamespace } from '../../../src/process/confine.ts';
import { launchDir } from '../../../src/process/launch/launch-dir.ts';
import { type Launches, openLaunches } from '../../../src/process/launch/launches.ts';
import { processTable } from '../../../src/process/table/process-table.ts';
import { compiled } from '../../compiled.ts';
import { until } from '../../until.ts';

export const never = new AbortController().signal;
const probe = await probeNamespace();
export const hasNamespaces = probe.works;

export type Kind = 'plain' | 'namespace';
export const kinds: readonly Kind[] = hasNamespaces ? ['plain', 'namespace'] : ['plain'];
export const confineOf: Record<Kind, Confine> = { plain: plainConfine, namespace: namespaceConfine };

export interface World {
  readonly home: string;
  readonly root: string;
  readonly work: string;
  readonly launches: Launches;
  spec(argv: readonly string[], env?: Record<string, string>): LaunchSpec;
  /** A shell command as a launch. */
  sh(script: string, ...args: string[]): LaunchSpec;
  /** Runs it to its end. */
  run(spec: LaunchSpec): Promise<{ ending: unknown; lines: string[] }>;
  file(launchId: string, name: string): string;
  /** Pids of every process of a launch, shim and drains included. */
  marked(launchId: string): Promise<number[]>;
  close(): Promise<void>;
}

let worlds = 0;

export function openWorld(kind: Kind): World {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-process-'));
  const root = join(home, 'launches');
  const work = join(home, 'work');
  mkdirSync(work);
  const launches = openLaunches({ root, confine: confineOf[kind] });
  worlds += 1;
  let specs = 0;
  const spec = (argv: readonly string[], env: Record<string, string> = {}): LaunchSpec => {
    specs += 1;
    const launchId = `t${process.pid}-${worlds}-${specs}`;
    return { launchId, argv, env: { PATH: process.env['PATH'] ?? '', ...env }, cwd: work };
  };
  const marked = async (launchId: string): Promise<number[]> => {
    const { mark } = launchDir(root, launchId);
    const rows = (await processTable()).filter((row) => row.marks.some((entry) => entry.endsWith(`=${mark}`)));
    return rows.map((row) => row.pid);
  };
  return {
    home,
    root,
    work,
    launches,
    spec,
    sh: (script, ...args) => spec(['sh', '-c', script, 'sh', ...args]),
    async run(one) {
      await launches.start(one, never);
      return collect(launches, one.launchId);
    },
    file: (launchId, name) => readFileSync(join(root, launchId, name), 'utf8'),
    marked,
    async close() {
      try {
        for (const launchId of await launches.list()) {
          await launches.signal(launchId, 'kill');
          expect(await marked(launchId), 'processes left over').toEqual([]);
          expect(readdirSync(join(root, launchId)).filter((name) => /fifo|tmp/.test(name))).toEqual([]);
        }
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  };
}

export async function collect(launches: Launches, launchId: string): Promise<{ ending: unknown; lines: string[] }> {
  const lines: string[] = [];
  const keep = async (batch: LineBatch) => void lines.push(...batch.lines);
  const ending = await launches.watch(launchId, 0, keep, never);
  return { ending, lines };
}

export function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

export const fileHolds = (path: string, timeoutMs = 20_000) =>
  until(() => readOr(path, '') || null, { timeoutMs, what: `${path} to be written` });

/** The process layer for a plain Node process; returns the directory of its modules. */
export const compiledLaunches = (): string =>
  join(
    compiled(['launch/launches', 'confine', 'inherited', 'confinement-probe'].map((name) => `process/${name}.ts`)),
    'process',
  );
