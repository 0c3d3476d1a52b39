// How fast output is taken in: 120-byte lines, written to `out` by another process while they are read, through the
// same watch that the daemon uses. CPU is that of the reading process alone.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { follow } from '../src/process/launch/follow-output.ts';
import { launchDir } from '../src/process/launch/launch-dir.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const megabytes = 200;
const rounds = 5;
const lineBytes = 120;

export async function benchIngest(): Promise<BenchFigure[]> {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-ingest-'));
  try {
    const runs: Ingest[] = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await ingest(root, round));
    const [, ...kept] = runs; // The first round warms up.
    const speed = median(kept.map((run) => run.megabytesPerSecond));
    const cpu = median(kept.map((run) => run.cpuPer100Mb));
    const growth = (kept.at(-1)?.residentMb ?? 0) - (kept[0]?.residentMb ?? 0);
    return [
      figure('ingest.speed', speed, 'MB/s', '>= 80', speed >= 80),
      figure('ingest.cpu_per_100_mb', cpu, 's', '<= 0.5', cpu <= 0.5),
      figure('ingest.memory_growth', growth, 'MB', '<= 20', growth <= 20),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Ingest {
  readonly megabytesPerSecond: number;
  readonly cpuPer100Mb: number;
  readonly residentMb: number;
}

async function ingest(root: string, round: number): Promise<Ingest> {
  const dir = launchDir(root, `round-${round}`);
  mkdirSync(dir.path, { recursive: true });
  writeFileSync(dir.out, '');
  const bytes = megabytes * 1_000_000;
  const lines = Math.ceil(bytes / lineBytes);
  // yes writes much faster than anybody reads.
  const writer = spawn('/bin/sh', ['-c', 'yes "$1" | head -n "$2" >>"$3"', 'sh', text, String(lines), dir.out], {
    stdio: 'ignore',
  });
  const begun = performance.now();
  const cpuBefore = process.cpuUsage();
  let seen = 0;
  let residentMb = 0;
  const over = async (): Promise<true | null> => (seen >= lines ? true : null);
  await follow(
    dir,
    0,
    async (batch) => {
      seen += batch.lines.length;
      residentMb = Math.max(residentMb, process.memoryUsage.rss() / 1e6);
    },
    over,
    new AbortController().signal,
  );
  const seconds = (performance.now() - begun) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  if (writer.exitCode === null) await new Promise((resolve) => writer.once('exit', resolve));
  rmSync(dir.path, { recursive: true, force: true });
  return {
    megabytesPerSecond: bytes / 1e6 / seconds,
    cpuPer100Mb: (cpu.user + cpu.system) / 1e6 / (megabytes / 100),
    residentMb,
  };
}

const text = '{"type":"assistant","text":"'
  .padEnd(lineBytes - 3, 'x')
  .concat('"}')
  .slice(0, lineBytes - 1);
