// Stops of agents whose descendants flee in six ways: none may be left. `CHAOS=1` makes a thousand of them.

import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ProcessIdentity } from '../../../src/ports/launch-port.ts';
import { launchDir, readInfo } from '../../../src/process/launch/launch-dir.ts';
import { identify, isAlive } from '../../../src/process/table/process-identity.ts';
import { sized } from '../../size.ts';
import { until } from '../../until.ts';
import { fileHolds, hasNamespaces, never, openWorld, readOr, type World } from './process-world.ts';

const rounds = sized(60, 1_000);
const atOnce = 3;

/** Each leaves a process whose arguments hold `$tag`, and then writes a line. */
const escapees: Readonly<Record<string, string>> = {
  setsid: `setsid sh -c 'while :; do sleep 1; done' "$tag" </dev/null >/dev/null 2>&1 &`,
  'cleared environment, forked twice, TERM ignored': `setsid env -i /bin/sh -c 'trap "" TERM HUP INT; (while :; do /bin/sleep 1; done) </dev/null >/dev/null 2>&1 &' "$tag"`,
  hopper: `setsid sh -c 'hop() { sleep 0.001; hop & exit; }; hop' "$tag" </dev/null >/dev/null 2>&1 &`,
  'nohup and disown': `nohup sh -c 'while :; do sleep 1; done' "$tag" </dev/null >/dev/null 2>&1 &`,
  'holding stdout': `sh -c 'trap "" TERM; while :; do sleep 1; done' "$tag" &`,
  'pid namespace of its own': `{ unshare -p -f sh -c 'while :; do sleep 1; done' "$tag" || unshare -U -r -p -f sh -c 'while :; do sleep 1; done' "$tag" || setsid sh -c 'while :; do sleep 1; done' "$tag"; } </dev/null >/dev/null 2>&1 &`,
};

it.runIf(hasNamespaces)(
  `${rounds} stops of agents with six kinds of fleeing descendants leave none [PROC-5]`,
  { timeout: rounds * 2_000 },
  async () => expect(await stopStorm(rounds)).toEqual({ stops: rounds, survivors: [] }),
);

export async function stopStorm(count: number): Promise<{ stops: number; survivors: readonly string[] }> {
  const world = openWorld('namespace');
  const survivors: string[] = [];
  let next = 0;
  try {
    const worker = async (): Promise<void> => {
      while (next < count) {
        const n = next++;
        survivors.push(...(await stopOne(world, n)));
      }
    };
    const workers = Array.from({ length: atOnce }, worker);
    // With the first that fails the others begin nothing more: what they began is ended below.
    for (const each of workers) each.catch(() => (next = count));
    await Promise.allSettled(workers);
    await Promise.all(workers);
  } finally {
    await world.close();
  }
  return { stops: count, survivors };
}

async function stopOne(world: World, n: number): Promise<string[]> {
  const kinds = Object.keys(escapees);
  const kind = kinds[n % kinds.length] ?? '';
  const tag = `storm-${process.pid}-${n}-`;
  const spec = world.sh(`tag=$1; trap '' TERM; ${escapees[kind]}\necho up; while :; do sleep 1; done`, tag);
  await world.launches.start(spec, never);
  await fileHolds(join(world.root, spec.launchId, 'out'));
  // The agent's own arguments hold the tag too.
  await until(() => tagged(tag).length >= 2, { timeoutMs: 20_000, what: `${kind} to have fled` });
  const seen = await inNamespace(world, spec.launchId);
  expect(seen.length).toBeGreaterThanOrEqual(2);
  // Every third time by the whole ladder, which such an agent ignores.
  if (n % 3 === 0) await world.launches.signal(spec.launchId, 'term');
  await world.launches.signal(spec.launchId, 'kill');
  expect((await world.launches.look(spec.launchId)).kind).not.toBe('alive');
  const left = tagged(tag).map((pid) => `${kind}: ${pid}`);
  for (const identity of seen) if (await isAlive(identity)) left.push(`${kind}: ${identity.pid}`);
  return left;
}

/** The newest first: a hopper is gone before a long list has been read to its end. */
const pids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reverse();

function tagged(tag: string): string[] {
  // The shim's own order and bwrap carry the agent's arguments.
  return pids().filter((pid) => {
    const words = readOr(`/proc/${pid}/cmdline`, '').split('\0');
    return words.includes(tag) && words[0] !== 'bwrap';
  });
}

async function inNamespace(world: World, launchId: string): Promise<ProcessIdentity[]> {
  const info = await until(() => readInfo(launchDir(world.root, launchId)), { what: 'the info' });
  const inode = info.kind === 'namespace' ? `pid:[${info.inode}]` : '';
  const found: ProcessIdentity[] = [];
  for (const pid of pids()) {
    if (linkOf(`/proc/${pid}/ns/pid`) !== inode) continue;
    const identity = await identify(Number(pid));
    if (identity !== null) found.push(identity);
  }
  return found;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
