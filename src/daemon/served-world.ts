// What the daemon's routes need besides the engine.

import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { openAdopted } from '../credentials/adopted-sessions.ts';
import { openRunTools } from '../credentials/run-tools.ts';
import { openRunVariables } from '../credentials/run-variables.ts';
import { checkLogPath } from '../git/checks/check-results.ts';
import { usualIdentity } from '../git/commands/create-commit.ts';
import { branchRefOf } from '../git/commands/layout.ts';
import { previewLanding } from '../git/land/preview-landing.ts';
import { findTarget } from '../git/land/target-branch.ts';
import { openSigning, type Signing } from '../git/signing/signing-key.ts';
import { armouredSeal, publicLine, sealFits } from '../git/signing/ssh-signature.ts';
import { tiersOf } from '../harness/agent-kind.ts';
import { agentKinds } from '../harness/registry.ts';
import { createIds } from '../model/core/ids.ts';
import type { Removal, Served } from '../server/routes/route-context.ts';
import { isFault } from '../std/fault.ts';
import { sealedText, sealOf } from '../store/sealed-text.ts';
import type { Config } from './config.ts';
import { homeSpace } from './home-space.ts';
import { flawOfModels, flawOfPrices } from './price-list.ts';
import { coAuthor, launchRoot, type Parts, signingRoot, userOf, workRoot } from './real-ports.ts';

export function servedOf(
  config: Config,
  { harnesses, launches, workspaces, artifacts, prices, log, removal }: Parts & { readonly removal: Removal },
  leaving: AbortController,
): Omit<Served, 'engine' | 'journal' | 'about' | 'leaving' | 'requireFit' | 'agents' | 'logins'> {
  return {
    artifacts,
    variables: openRunVariables(config.home),
    tools: openRunTools(config.home),
    adopted: openAdopted(config.home),
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
      const { path, base, branch, notes } = await workspaces.decideBase(repo, signal);
      for (const note of notes) log.info('base decided', { path, base, note });
      return { path, base, ...(branch === null ? {} : { branch }), notes };
    },
    async flawOfTarget(repo, branch, signal) {
      const target = await findTarget(repo, branch, userOf(config), signal);
      return typeof target === 'string' ? target : null;
    },
    previewLanding: (order, signal) =>
      previewLanding({ root: workRoot(config), user: userOf(config), coAuthor }, order, signal),
    flawOfSettings: harnesses.flaw,
    flawOfModels: (harness, models) => flawOfModels(prices, harness, models),
    flawOfPrices: (harness, models) => flawOfPrices(prices, harness, models),
    tellsUsage: (name) => harnesses.get(name)?.capabilities.includes('usage') ?? false,
    capabilities: (name) => harnesses.get(name)?.capabilities ?? [],
    canInterrupt: (name) => harnesses.get(name)?.capabilities.includes('interrupt') ?? false,
    tiers: tiersOf(agentKinds),
    stall: (name) => harnesses.get(name)?.stall ?? {},
    prices: prices.look,
    space: homeSpace(config.home, workspaces),
    removal,
    holding: workspaces,
    usedPorts: workspaces.usedPorts,
    leave: () => leaving.abort(),
  };
}

/** A sealed event as other programs can check it: text, OpenSSH signature and public key. null: its seal does not verify. */
function createEnvelopes(signing: Pick<Signing, 'publicKey'>): Served['envelope'] {
  return (event) => {
    const seal = sealOf(event);
    const key = seal === null ? null : usableKey(signing);
    if (seal === null || key === null) return null;
    const sealed = sealedText(event);
    if (!sealFits(key, sealed, seal)) return null;
    return { sealed, signature: armouredSeal(key, seal), publicKey: publicLine(key, usualIdentity.email) };
  };
}

function usableKey(signing: Pick<Signing, 'publicKey'>): KeyObject | null {
  try {
    return signing.publicKey();
  } catch (error) {
    if (isFault(error, 'key_unusable')) return null;
    throw error;
  }
}
