// What the daemon's routes are built on beside the engine: the world as this machine has it.

import { join } from 'node:path';
import { checkLogPath } from '../git/checks/check-results.ts';
import { branchRefOf } from '../git/commands/layout.ts';
import { findTarget } from '../git/land/target-branch.ts';
import { openSigning } from '../git/signing/signing-key.ts';
import { createIds } from '../model/core/ids.ts';
import type { Served } from '../server/routes/route-context.ts';
import type { Config } from './config.ts';
import { flawOfModels, flawOfPrices } from './price-list.ts';
import { launchRoot, type Parts, signingRoot, userOf, workRoot } from './real-ports.ts';
import { createEnvelopes } from './sealed-envelopes.ts';

export function servedOf(
  config: Config,
  { harnesses, launches, workspaces, artifacts, prices, log }: Parts,
  leaving: AbortController,
): Omit<Served, 'engine' | 'journal' | 'about' | 'leaving' | 'requireFit' | 'logins'> {
  return {
    artifacts,
    envelope: createEnvelopes(openSigning(signingRoot(config))),
    ids: createIds(Date.now, Math.random),
    transcriptPath: (launchId) => join(launchRoot(config), launchId, 'out'),
    readTranscript: (launchId, from) => launches.readTranscript(launchId, { from }),
    checkLogPath: (log) => checkLogPath(workRoot(config), log),
    branchRef: branchRefOf,
    gitDir: (attemptId) => join(workRoot(config), 'attempts', attemptId),
    reopen: (harness, { id, session }, cwd) =>
      harnesses.reopen(harness, { session, home: join(config.home, 'agents', id), cwd }),
    async decideBase(repo, signal) {
      const { path, base, notes } = await workspaces.decideBase(repo, signal);
      for (const note of notes) log.info('base decided', { path, base, note });
      return { path, base, notes };
    },
    async flawOfTarget(repo, branch, signal) {
      const target = await findTarget(repo, branch, userOf(config), signal);
      return typeof target === 'string' ? target : null;
    },
    flawOfSettings: harnesses.flaw,
    flawOfModels: (harness, models) => flawOfModels(prices, harness, models),
    flawOfPrices: (harness, models) => flawOfPrices(prices, harness, models),
    tellsUsage: (name) => harnesses.get(name)?.capabilities.includes('usage') ?? false,
    stall: (name) => harnesses.get(name)?.stall ?? {},
    prices: prices.look,
    space: workspaces,
    holding: workspaces,
    usedPorts: workspaces.usedPorts,
    leave: () => leaving.abort(),
  };
}
