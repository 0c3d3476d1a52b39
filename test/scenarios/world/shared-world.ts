// One daemon for the tests of a file, each with a directory and a repository of its own. For tests that neither end the daemon
// nor set it up for themselves, nor look at what others had it do: starting it takes longer than most of them.

import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type Client, createClient } from '../../../src/cli/client/client.ts';
import { loadConfig } from '../../../src/daemon/config.ts';
import { until } from '../../until.ts';
import { buildWorld, closeWorld, mainFile, type World, worldEnvironment } from '../daemon/daemon-world.ts';
import { type Process, watchProcesses } from './world-processes.ts';

const endMs = 10_000;

/** Call it once in a file; what it returns opens the world of a test. */
export function shareDaemon(settings: Record<string, string> = {}): () => World {
  let open: (() => World) | null = null;
  let close = async (): Promise<void> => undefined;
  afterAll(() => close());
  return () => {
    if (open === null) {
      const host = openHost(settings);
      open = host.open;
      close = host.close;
    }
    return open();
  };
}

function openHost(settings: Record<string, string>): { open(): World; close(): Promise<void> } {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-e2e-'));
  const home = join(dir, 'home');
  const env = worldEnvironment({ dir, home }, settings);
  const processes = watchProcesses(dir);
  let opened = 0;
  const open = (): World => {
    opened += 1;
    const own = join(dir, String(opened));
    mkdirSync(own);
    const world = buildWorld({ dir: own, home, env, cli: 'inside', processes, isShared: true });
    return { ...world, close: () => expectNoAgents(processes) };
  };
  const client = (): Client => createClient(loadConfig(env), mainFile);
  return { open, close: () => closeWorld({ dir, client, processes }) };
}

/** Between two tests only the daemon is there, with the shim that it keeps ready. */
async function expectNoAgents(processes: () => Process[]): Promise<void> {
  const left = (): Process[] =>
    processes().filter(({ command, place }) => !/main\.cjs daemon/.test(command) && !place.includes('/.spare-'));
  await until(() => left().length === 0, { timeoutMs: endMs, what: 'its agents to be gone' }).catch(() => undefined);
  expect(left(), 'processes left over').toEqual([]);
}
