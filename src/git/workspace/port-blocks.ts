// A block of ports for each attempt, so that servers of different agents do not collide. A file holds the block from
// the attempt's preparation until its work is saved; a block is given out only if all its ports are free at that
// moment. Which ports a program uses is not enforced.

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { diskFault, errnoOf } from '../../std/files.ts';
import type { Layout } from '../commands/layout.ts';

/** Below the ports that systems give out by themselves. */
export const portsFrom = 20_000;
export const portsEach = 10;
const blocks = 1_000;

/** The first port of the attempt's block, or null where none is free: an agent can work without. */
export async function claimPorts(layout: Layout, attemptId: string, signal: AbortSignal): Promise<number | null> {
  const held = await heldBlocks(layout);
  const own = [...held].find(([, holder]) => holder === attemptId);
  if (own !== undefined) return own[0];
  // Each search begins elsewhere, so that two at once seldom try the same block.
  const offset = createHash('sha256').update(attemptId).digest().readUInt32BE(0);
  for (let tried = 0; tried < blocks; tried += 1) {
    signal.throwIfAborted();
    const first = portsFrom + ((offset + tried) % blocks) * portsEach;
    if (held.has(first) || !(await take(layout, first, attemptId))) continue;
    if (await areFree(first)) return first;
    await rm(fileOf(layout, first), { force: true });
  }
  return null;
}

export async function releasePorts(layout: Layout, first: number | null): Promise<void> {
  if (first !== null) await rm(fileOf(layout, first), { force: true });
}

/** Frees every block of the attempt, where no record says which one it has. */
export async function releaseAllPorts(layout: Layout, attemptId: string): Promise<void> {
  for (const [first, holder] of await heldBlocks(layout)) if (holder === attemptId) await releasePorts(layout, first);
}

/** The environment variables that tell an agent its ports. */
export function portEnvironment(first: number | null): Record<string, string> {
  if (first === null) return {};
  const rest = Array.from({ length: portsEach - 1 }, (_, at) => [`SIGNALBOX_PORT_${at + 1}`, String(first + at + 1)]);
  return { SIGNALBOX_PORT: String(first), ...Object.fromEntries(rest) };
}

/** The first port of each held block, with its attempt. */
export async function heldBlocks(layout: Layout): Promise<Map<number, string>> {
  const held = new Map<number, string>();
  for (const name of await readdir(layout.ports)) {
    held.set(Number(name), await readFile(join(layout.ports, name), 'utf8').catch(() => ''));
  }
  return held;
}

async function take(layout: Layout, first: number, attemptId: string): Promise<boolean> {
  const path = fileOf(layout, first);
  try {
    await writeFile(path, attemptId, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw diskFault(error, path);
  }
}

async function areFree(first: number): Promise<boolean> {
  for (let port = first; port < first + portsEach; port += 1) if (!(await isFree(port))) return false;
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function fileOf(layout: Layout, first: number): string {
  return join(layout.ports, String(first));
}

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
function listeners(table: string): number[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    return state === '0A' ? [Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16)] : [];
  });
}
