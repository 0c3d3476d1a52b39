// What launches use, where there is no /proc: one `ps` for all of them. It is weaker: memory is resident and not
// private, so shared memory counts for each process, and a process that cleared its environment and left its session is
// not seen.

import { type LaunchDir, readInfo } from '../launch/launch-dir.ts';
import { agentMark } from '../launch/spawn.ts';
import type { Usage } from './launch-usage.ts';
import { ps } from './process-table.ts';

export async function roundByPs(dirs: readonly LaunchDir[]): Promise<ReadonlyMap<string, Usage>> {
  const text = await ps(['-axEwwo', 'pid=,ppid=,rss=,time=,command=']);
  const rows = text.split('\n').flatMap((line) => {
    const [pid, parent, kilobytes, time, ...words] = line.trim().split(/\s+/);
    if (!pid || time === undefined) return [];
    return [
      { pid: Number(pid), parent: Number(parent), bytes: Number(kilobytes) * 1024, cpuMs: millisOf(time), words },
    ];
  });
  const totals = new Map<string, Usage>();
  for (const dir of dirs) {
    const info = readInfo(dir);
    const family = new Set(info?.kind === 'process' ? [info.pid] : []);
    for (const row of rows) if (row.words.includes(`${agentMark}=${dir.mark}`)) family.add(row.pid);
    for (let size = 0; size < family.size; ) {
      size = family.size;
      for (const row of rows) if (family.has(row.parent)) family.add(row.pid);
    }
    const own = rows.filter((row) => family.has(row.pid));
    if (own.length === 0) continue;
    const sum = (pick: (row: (typeof own)[number]) => number): number => own.reduce((all, row) => all + pick(row), 0);
    totals.set(dir.id, { processes: own.length, memoryBytes: sum((row) => row.bytes), cpuMs: sum((row) => row.cpuMs) });
  }
  return totals;
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
export function millisOf(time: string): number {
  const [rest = '', days = '0'] = time.split('-').reverse();
  const seconds = rest.split(':').reduce((all, part) => all * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1_000);
}
