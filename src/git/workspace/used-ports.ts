// Which attempts have a server on a port of their block, told from the system's own list of listeners. News for people:
// who listens there is not asked.

import { readFile } from 'node:fs/promises';
import type { Layout } from '../commands/layout.ts';
import { heldBlocks, portsEach } from './port-blocks.ts';

/** The first port of each attempt that has one, at most a second old. Empty where the system has no such list. */
export function createUsedPorts(layout: Layout): () => Promise<ReadonlyMap<string, number>> {
  let last: { readonly at: number; readonly ports: Promise<ReadonlyMap<string, number>> } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at > oldMaxMs) last = { at: now, ports: usedPorts(layout) };
    return last.ports;
  };
}

const oldMaxMs = 1_000;

async function usedPorts(layout: Layout): Promise<ReadonlyMap<string, number>> {
  const used = new Map<string, number>();
  const held = await heldBlocks(layout).catch(() => new Map<number, string>());
  if (held.size === 0) return used;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const listening = new Set(tables.flatMap(listeners));
  for (const [first, attemptId] of held) {
    const ports = Array.from({ length: portsEach }, (_, at) => first + at);
    const port = ports.find((each) => listening.has(each));
    if (port !== undefined) used.set(attemptId, port);
  }
  return used;
}

/** Lines of /proc/net/tcp: number, local address, remote address, state (0A: listening). */
export function listeners(table: string): number[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    return state === '0A' ? [Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16)] : [];
  });
}
