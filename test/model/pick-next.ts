// Chooses what starts next, as the engine does: what is to be set aside is, and the pick is returned.

import type { Run } from '../../src/model/core/run.ts';
import { chooseNext, type Pick } from '../../src/model/dispatch/dispatch.ts';
import type { Host } from '../../src/model/host/host.ts';
import { sceneOf } from '../../src/model/parking/admit.ts';
import { setAside } from '../../src/model/ready/interlock.ts';

export function pickNext(host: Host, runs: readonly Run[], now: number, hostName: string): Pick | null {
  const { pick, aside } = chooseNext(sceneOf(host, runs, now), hostName);
  for (const each of aside) setAside(each.run, each);
  return pick;
}
